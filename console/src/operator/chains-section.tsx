import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../i18n/index.ts';
import { Empty, Loaded, Section, SkeletonLines } from '../parts/layout.tsx';
import { Ago } from '../parts/when.tsx';
import classes from './operator.module.css';
import { type Chain, chainsQuery } from './queries.ts';

function stateOf(chain: Chain): 'halted' | 'off' | 'waiting' | 'running' {
  if (chain.halted_at !== undefined) return 'halted';
  if (!chain.is_enabled) return 'off';
  return chain.cursor_height === undefined ? 'waiting' : 'running';
}

/** Networks and how far their watchers are behind. */
export function ChainsSection() {
  const { t } = useTranslation('operator');
  const chains = useQuery(chainsQuery);
  return (
    <Section title={t('view.chains')} lead={t('chains.lead')}>
      <Loaded query={chains} skeleton={<SkeletonLines count={3} />}>
        {(list) => {
          const configured = list.filter((chain) => chain.is_enabled || chain.cursor_height !== undefined);
          if (configured.length === 0) return <Empty icon="external" title={t('chains.none')} />;
          return (
            <ul className={classes.list}>
              {configured.map((chain) => (
                <li key={chain.network} className={classes.item}>
                  <span className={classes.text}>
                    <strong>{chain.name}</strong>
                    <span className={classes.small}>{chain.halted_reason ?? chain.note ?? ''}</span>
                    <span className={classes.small}>
                      {chain.cursor_height !== undefined && t('chains.at', { height: chain.cursor_height, head: chain.head_height ?? chain.cursor_height })}{' '}
                      {chain.checked_at !== undefined && <Ago iso={chain.checked_at} />}
                    </span>
                  </span>
                  <span className={classes.state} data-state={stateOf(chain)}>
                    {t(`chains.${stateOf(chain)}`)}
                    {chain.lag !== undefined && ` · ${t('chains.lag', { count: chain.lag })}`}
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Section>
  );
}
