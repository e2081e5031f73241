/** Addresses that prices are fetched from, and how they fare. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { RelativeTime } from '../../components/date-time.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { serverNow_ms } from '../../lib/server-clock.ts';
import { ChangeButton } from '../allows.tsx';
import table from '../dense-table.module.css';
import { DenseTable } from '../dense-table.tsx';
import { FeedSheet } from './feed-sheet.tsx';
import { feedStateOf } from './price-state.ts';
import classes from './prices.module.css';
import { feedsQuery, type PriceFeed } from './queries.ts';

interface RowProps {
  readonly feed: PriceFeed;
  readonly onOpen: () => void;
}

function Row({ feed, onOpen }: RowProps) {
  const { t } = useTranslation('operator');
  const state = feedStateOf(feed, serverNow_ms());
  return (
    <tr>
      <td className={classes.pair}>
        <button
          type="button"
          className={table.open}
          aria-label={t('prices.openFeed', { name: feed.name })}
          onClick={onOpen}
        >
          {feed.name}
        </button>
        <span className={table.small}>
          {feed.currency} → {feed.quote_currency}
        </span>
      </td>
      <td className={classes.address}>
        <code className={classes.url}>{feed.url}</code>
        <code className={table.small}>{feed.pointer}</code>
      </td>
      <td className={classes.state} data-state={state}>
        {t(`prices.state.${state}`)}
        <span className={table.small}>{feed.last_error}</span>
      </td>
      <td className={classes.age}>
        {feed.last_success_at === undefined ? '–' : <RelativeTime iso={feed.last_success_at} />}
        <span className={table.small}>{t('prices.everySeconds', { count: feed.every_s })}</span>
      </td>
    </tr>
  );
}

export function Feeds() {
  const { t } = useTranslation('operator');
  const feeds = useQuery(feedsQuery);
  const [opened, setOpened] = useState<PriceFeed | 'new'>();
  const columns = [
    ['feed', classes.pair],
    ['address', classes.address],
    ['stateOf', classes.state],
    ['lastPrice', classes.age],
  ] as const;
  return (
    <Section
      title={t('prices.feeds')}
      lead={t('prices.feedsLead')}
      actions={
        <ChangeButton
          scope="operator:prices"
          variant="default"
          size="sm"
          icon="plus"
          onClick={() => setOpened('new')}
        >
          {t('prices.addFeed')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={feeds} skeleton={<SkeletonLines count={2} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="download" title={t('prices.noFeeds')}>
              {t('prices.noFeedsLead')}
            </EmptyState>
          ) : (
            <DenseTable
              label={t('prices.feeds')}
              columns={columns.map(([key, className]) => ({
                key,
                label: t(`prices.${key}`),
                className,
              }))}
            >
              {list.map((feed) => (
                <Row key={feed.name} feed={feed} onOpen={() => setOpened(feed)} />
              ))}
            </DenseTable>
          )
        }
      </QueryBoundary>
      {opened !== undefined && (
        <FeedSheet
          feed={opened === 'new' ? undefined : opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Section>
  );
}
