import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { RelativeTime } from '../../components/date-time.tsx';
import { TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import classes from '../operator.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import { type Price, pricesQuery, setPrice } from './queries.ts';

function PriceForm({
  price,
  onSaved,
}: {
  readonly price: Price | undefined;
  readonly onSaved: () => void;
}) {
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
      onSaved,
    );
  return (
    <Form submission={operation} submitLabel={t('money.setPrice')} onSubmit={submit}>
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
    </Form>
  );
}

/** Prices that conversions and total values use. */
export function Prices() {
  const { t } = useTranslation('operator');
  const prices = useQuery(pricesQuery);
  const [opened, setOpened] = useState<Price | 'new'>();
  const close = (): void => setOpened(undefined);
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
            <ul className={classes.list}>
              {list.map((price) => (
                <li key={`${price.currency} ${price.quote_currency}`} className={classes.item}>
                  <span className={classes.text}>
                    <strong>{price.currency}</strong>
                    <Amount value={price.price} currency={price.quote_currency} digits="exact" />
                    <span className={classes.small}>
                      <RelativeTime iso={price.priced_at} /> · {price.source}
                    </span>
                  </span>
                  <ChangeButton
                    scope="operator:prices"
                    variant="default"
                    size="xs"
                    onClick={() => setOpened(price)}
                  >
                    {t('money.change')}
                  </ChangeButton>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {opened !== undefined && (
        <Sheet title={t('money.setPrice')} onClose={close}>
          <PriceForm price={opened === 'new' ? undefined : opened} onSaved={close} />
        </Sheet>
      )}
    </Section>
  );
}
