/** Forms that are looked at, and not changed. */
import { createContext, use } from 'react';

const ReadOnlyContext = createContext(false);

/** Within it fields show what they hold, and forms have no button. */
export const ReadOnly = ReadOnlyContext.Provider;

export const useReadOnly = (): boolean => use(ReadOnlyContext);
