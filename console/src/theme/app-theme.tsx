import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { readNonce } from './nonce.ts';
import { resolveVariables, theme } from './theme.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'edge-theme' });

/** Puts a part of the application into the design system. */
export function AppTheme({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={readNonce}
    >
      {children}
    </MantineProvider>
  );
}
