import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DateTime, RelativeTime } from '../../components/date-time.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { chainNoteText, haltText } from '../../i18n/message-code-text.ts';
import type { Translate } from '../../i18n/translate.ts';
import { ChangeButton, useChanges } from '../allows.tsx';
import table from '../dense-table.module.css';
import { DenseTable, RowOpener } from '../dense-table.tsx';
import { type Chain, chainsQuery } from '../queries.ts';
import rows from '../rows.module.css';
import { ChainSheet } from './chain-sheet.tsx';
import { NewNetwork } from './new-network.tsx';

function noteText(
  t: Translate<'operator'>,
  { note, note_code: code, note_values: values }: Chain,
): string {
  return note === undefined ? '' : chainNoteText(t, note, code, values);
}

/** What keeps the network waiting; where no endpoint answers, since when. */
function ChainNote({
  chain,
  silentSince,
}: {
  readonly chain: Chain;
  readonly silentSince: string | undefined;
}) {
  const { t } = useTranslation('operator');
  const text = haltText(t, chain) || noteText(t, chain);
  return (
    <span>
      {text}
      {silentSince !== undefined && (
        <>
          {text !== '' && ' · '}
          {t('chains.lastAnswer')} <DateTime iso={silentSince} isShort />
        </>
      )}
    </span>
  );
}

/** When an endpoint answered last, where the last look found none that does. */
function findSilence({ answered_at: answered, checked_at: checked }: Chain): string | undefined {
  return answered !== undefined && checked !== undefined && answered < checked
    ? answered
    : undefined;
}

function ChainRow({ chain, onOpen }: { readonly chain: Chain; readonly onOpen: () => void }) {
  const { t } = useTranslation('operator');
  const may = useChanges();
  const silentSince = findSilence(chain);
  return (
    <tr>
      <td className={rows.main}>
        <RowOpener
          label={t(may('operator:chains') ? 'chains.configureName' : 'webhooks.openName', {
            name: chain.name,
          })}
          onOpen={onOpen}
        >
          {chain.name}
        </RowOpener>
        <span className={table.small}>
          {chain.tokens.map(({ currency }) => currency).join(t('devices:comma'))}
        </span>
      </td>
      <td className={rows.state} data-state={chain.state}>
        {t(`chains.state.${chain.state}`)}
        <span className={table.small}>
          {chain.lag !== undefined && chain.lag > 0 && t('chains.lag', { count: chain.lag })}
        </span>
      </td>
      <td className={rows.side}>
        {chain.cursor_height !== undefined && (
          <span>
            {t('chains.at', {
              height: chain.cursor_height,
              head: chain.head_height ?? chain.cursor_height,
            })}
            {chain.answered_at !== undefined && silentSince === undefined && (
              <>
                {' · '}
                <RelativeTime iso={chain.answered_at} />
              </>
            )}
          </span>
        )}
      </td>
      <td className={rows.note}>
        {chain.state !== 'unconfigured' && <ChainNote chain={chain} silentSince={silentSince} />}
      </td>
    </tr>
  );
}

/** Networks, how far their watchers are behind, and how they are set up. */
export function ChainsSection() {
  const { t } = useTranslation('operator');
  const chains = useQuery(chainsQuery);
  const [opened, setOpened] = useState<string>();
  const [isNew, setNew] = useState(false);
  return (
    <Section
      title={t('view.chains')}
      lead={t('chains.lead')}
      actions={
        <ChangeButton scope="operator:chains" size="sm" icon="plus" onClick={() => setNew(true)}>
          {t('chains.add')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={chains} skeleton={<SkeletonLines count={3} />}>
        {(list) => {
          const shown = list.find(({ network }) => network === opened);
          // Those that are set up first.
          const sorted = list.toSorted(
            (one, other) =>
              Number(one.state === 'unconfigured') - Number(other.state === 'unconfigured'),
          );
          return (
            <>
              <DenseTable
                label={t('view.chains')}
                columns={[
                  { key: 'network', label: t('payouts.network'), className: rows.main },
                  { key: 'state', label: t('person.state'), className: rows.state },
                  { key: 'block', label: t('chains.block'), className: rows.side },
                  { key: 'note', label: t('chains.noteColumn'), className: rows.note },
                ]}
              >
                {sorted.map((chain) => (
                  <ChainRow
                    key={chain.network}
                    chain={chain}
                    onOpen={() => setOpened(chain.network)}
                  />
                ))}
              </DenseTable>
              {shown && <ChainSheet chain={shown} onClose={() => setOpened(undefined)} />}
              {isNew && (
                <NewNetwork
                  chains={list}
                  onClose={() => setNew(false)}
                  onAdded={(network) => {
                    setNew(false);
                    setOpened(network);
                  }}
                />
              )}
            </>
          );
        }}
      </QueryBoundary>
    </Section>
  );
}
