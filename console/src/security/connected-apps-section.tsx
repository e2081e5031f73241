import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { useTranslation } from '../i18n/index.ts';
import { scopeText } from '../i18n/scope-text.ts';
import { ConfirmChange } from './confirm-change.tsx';
import { type Connection, connectionsQuery, endConnection } from './queries.ts';
import type { Proof } from './reauthentication.tsx';
import { Row } from './row.tsx';
import classes from './security.module.css';
import { useChange } from './use-security-mutation.ts';

/** Applications that one has let in. */
export function ConnectionsSection({ proof }: { readonly proof: Proof }) {
  const { t } = useTranslation('security');
  const { t: tSignIn } = useTranslation('signIn');
  const connections = useQuery(connectionsQuery);
  const change = useChange(proof);
  const [asking, setAsking] = useState<Connection>();
  return (
    <Section title={t('connections')}>
      <QueryBoundary query={connections} skeleton={<SkeletonLines count={1} height={56} />}>
        {(list) => {
          const others = list.filter((connection) => !connection.first_party);
          if (others.length === 0)
            return (
              <EmptyState icon="external" title={t('noConnections')}>
                {t('noConnectionsLead')}
              </EmptyState>
            );
          return (
            <ul className={classes.rows}>
              {others.map((connection) => (
                <Row
                  key={connection.client_id}
                  icon="external"
                  title={connection.client_name}
                  lead={connection.scopes
                    .map(({ name, description }) => scopeText(tSignIn, name, description))
                    .join(' · ')}
                  action={
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={t('shutOutName', { name: connection.client_name })}
                      onClick={() => setAsking(connection)}
                    >
                      {t('shutOut')}
                    </Button>
                  }
                />
              ))}
            </ul>
          );
        }}
      </QueryBoundary>
      {asking && (
        <ConfirmChange
          title={t('shutOutTitle', { name: asking.client_name })}
          lead={t('shutOutLead')}
          confirmLabel={t('shutOut')}
          change={change}
          onConfirm={() =>
            change.run(
              () => endConnection(asking.client_id),
              () => setAsking(undefined),
            )
          }
          onClose={() => setAsking(undefined)}
        />
      )}
    </Section>
  );
}
