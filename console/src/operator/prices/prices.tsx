import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { RelativeTime } from '../../components/date-time.tsx';
import { TextInput } from '../../components/field.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { FormSheet } from '../../components/sheet.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { CLIENT_ID } from '../../session/client-id.ts';
import { ChangeButton } from '../allows.tsx';
import table from '../dense-table.module.css';
import { DenseTable } from '../dense-table.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { isTooOld, readSource } from './price-state.ts';
import classes from './prices.module.css';
import { type Price, pricesQuery, setPrice } from './queries.ts';

interface FormProps {
  readonly price: Price | undefined;
  readonly onClose: () => void;
}

function PriceForm({ price, onClose }: FormProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const submit = (form: HTMLFormElement): void =>
    operation.run(
      () =>
        setPrice({
          currency: fieldText(form, 'currency').toUpperCase(),
          quote_currency: fieldText(form, 'quote_currency').toUpperCase(),
          price: fieldText(form, 'price'),
        }),
      onClose,
    );
  return (
    <FormSheet
      title={t('money.setPrice')}
      onClose={onClose}
      submission={operation}
      submitLabel={t('money.setPrice')}
      onSubmit={submit}
    >
      <TextInput
        name="currency"
        label={t('money.currency')}
        defaultValue={price?.currency}
        required
        autoComplete="off"
      />
      <TextInput
        name="quote_currency"
        label={t('money.quoteCurrency')}
        defaultValue={price?.quote_currency ?? 'USDT'}
        required
        autoComplete="off"
      />
      <TextInput
        name="price"
        label={t('money.price')}
        description={t('money.priceLead')}
        inputMode="decimal"
        required
        autoComplete="off"
      />
    </FormSheet>
  );
}

/** Who set a price, in words. */
function Source({ source }: { readonly source: string }) {
  const { t } = useTranslation('operator');
  const { kind, name } = readSource(source);
  if (kind === 'other') return name;
  if (kind === 'feed') return t('prices.byFeed', { name });
  return name === CLIENT_ID ? t('prices.byOperator') : t('prices.byApplication', { name });
}

interface TableProps {
  readonly prices: readonly Price[];
  readonly onChange: (price: Price) => void;
}

function PriceTable({ prices, onChange }: TableProps) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('money.prices')}
      columns={[
        { key: 'pair', label: t('prices.pair'), className: classes.pair },
        { key: 'price', label: t('money.price'), className: `${table.amount} ${classes.price}` },
        { key: 'source', label: t('prices.source'), className: classes.source },
        { key: 'age', label: t('prices.age'), className: classes.age },
        { key: 'change', label: t('money.change'), className: classes.action, isUnseen: true },
      ]}
    >
      {prices.map((price) => (
        <tr key={`${price.currency} ${price.quote_currency}`}>
          <td className={classes.pair}>
            {price.currency} → {price.quote_currency}
          </td>
          <td className={`${table.amount} ${classes.price}`}>
            <Amount value={price.price} currency={price.quote_currency} digits="exact" />
          </td>
          <td className={classes.source}>
            <Source source={price.source} />
          </td>
          <td className={classes.age} data-old={isTooOld(price.priced_at) || undefined}>
            <RelativeTime iso={price.priced_at} />
            {isTooOld(price.priced_at) && ` · ${t('prices.tooOld')}`}
          </td>
          <td className={classes.action}>
            <ChangeButton
              scope="operator:prices"
              variant="default"
              size="xs"
              aria-label={t('prices.changePair', {
                pair: `${price.currency} → ${price.quote_currency}`,
              })}
              onClick={() => onChange(price)}
            >
              {t('money.change')}
            </ChangeButton>
          </td>
        </tr>
      ))}
    </DenseTable>
  );
}

/** Prices that conversions and total values use. */
export function Prices() {
  const { t } = useTranslation('operator');
  const prices = useQuery(pricesQuery);
  const [opened, setOpened] = useState<Price | 'new'>();
  return (
    <Section
      title={t('money.prices')}
      lead={t('money.pricesLead')}
      actions={
        <ChangeButton
          scope="operator:prices"
          size="sm"
          icon="plus"
          onClick={() => setOpened('new')}
        >
          {t('money.setPrice')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={prices} skeleton={<SkeletonLines count={2} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="swap" title={t('money.noPrices')} />
          ) : (
            <PriceTable prices={list} onChange={setOpened} />
          )
        }
      </QueryBoundary>
      {opened !== undefined && (
        <PriceForm
          price={opened === 'new' ? undefined : opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Section>
  );
}
