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

interface ApplicationsProps {
  readonly list: readonly Connection[];
  readonly onAsk: (connection: Connection) => void;
}

function Applications({ list, onAsk }: ApplicationsProps) {
  const { t } = useTranslation('security');
  const { t: tSignIn } = useTranslation('signIn');
  if (list.length === 0)
    return (
      <EmptyState icon="external" title={t('noConnections')}>
        {t('noConnectionsLead')}
      </EmptyState>
    );
  return (
    <ul className={classes.rows}>
      {list.map((connection) => (
        <Row
          key={connection.client_id}
          icon="external"
          picture={connection.logo}
          title={connection.client_name}
          lead={connection.scopes
            .map(({ name, description }) => scopeText(tSignIn, name, description))
            .join(' · ')}
          action={
            <Button
              variant="default"
              size="sm"
              aria-label={t('shutOutName', { name: connection.client_name })}
              onClick={() => onAsk(connection)}
            >
              {t('shutOut')}
            </Button>
          }
        />
      ))}
    </ul>
  );
}

/** Applications that one has let in. */
export function ConnectionsSection({ proof }: { readonly proof: Proof }) {
  const { t } = useTranslation('security');
  const connections = useQuery(connectionsQuery);
  const change = useChange(proof);
  const [asking, setAsking] = useState<Connection>();
  return (
    <Section title={t('connections')}>
      <QueryBoundary query={connections} skeleton={<SkeletonLines count={1} height={56} />}>
        {(list) => <Applications list={list.filter((one) => !one.first_party)} onAsk={setAsking} />}
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
