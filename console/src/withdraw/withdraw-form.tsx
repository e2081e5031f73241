import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Currency, useCurrencies } from '../api/currencies.ts';
import { useMe } from '../api/me.ts';
import { Button } from '../components/button.tsx';
import { Facts } from '../components/description-list.tsx';
import { Select, TextInput } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { combineQueries, isPending, QueryBoundary, SkeletonLines } from '../components/layout.tsx';
import { Text } from '../components/text.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { amountText, toUnits } from '../lib/money-text.ts';
import { networkText } from '../lib/network-text.ts';
import { serverNow_ms } from '../lib/server-clock.ts';
import { shortAddress } from '../lib/short-address.ts';
import type { Proof } from '../security/reauthentication.tsx';
import { usePrices, ValuedAmount } from '../wallets/approximate-value.tsx';
import { Available } from '../wallets/available.tsx';
import { type Account, accountsQuery } from '../wallets/queries.ts';
import { AddAddress } from './add-address.tsx';
import { NothingToWithdraw, NotOpen, OnlyRewards } from './empty-states.tsx';
import { addressesQuery, type PayoutAddress, requestQuote, termsQuery } from './queries.ts';
import type { Draft, Reviewed } from './review-step.tsx';

/** Marks rewards among the sources: they are converted first. */
const REWARDS = 'rewards ';

interface Props {
  readonly draft: Draft;
  readonly proof: Proof;
  readonly onDraft: (draft: Draft) => void;
  readonly onConvert: (currency: string) => void;
  readonly onQuote: (reviewed: Reviewed) => void;
}

const isFunded = ({ balance }: Account): boolean => toUnits(balance) > 0n;

/** Addresses by their names, and the beginning and end of each; of several networks also by it. */
function toOptions(addresses: readonly PayoutAddress[]) {
  const hasSeveral = new Set(addresses.map(({ network }) => network)).size > 1;
  return addresses.map(({ id, label, address, network_name }) => ({
    value: String(id),
    label: [label, shortAddress(address), ...(hasSeveral ? [network_name] : [])].join(' · '),
  }));
}

/** What is known of the terms before an amount is entered. */
function Terms({ currency, network }: { readonly currency: string; readonly network: string }) {
  const { t } = useTranslation('withdraw');
  const terms = useQuery(termsQuery(currency, network));
  const prices = usePrices();
  if (terms.isLoading || isPending(prices)) return <SkeletonLines count={3} height={32} />;
  if (!terms.data) return null;
  const { minimum, fee, left_today } = terms.data;
  return (
    <Facts
      facts={[
        [t('fee'), <ValuedAmount key="fee" value={fee} currency={currency} />],
        [t('minimum'), <ValuedAmount key="minimum" value={minimum} currency={currency} />],
        [t('leftToday'), <ValuedAmount key="left" value={left_today} currency={currency} />],
      ]}
    />
  );
}

interface FieldsProps extends Props {
  readonly payable: readonly Account[];
  readonly currencies: readonly Currency[];
  readonly addresses: readonly PayoutAddress[];
  readonly sources: readonly { readonly value: string; readonly label: string }[];
}

interface AmountFieldProps extends Pick<Props, 'draft' | 'onDraft'> {
  readonly account: FieldsProps['payable'][number] | undefined;
  /** What the limit of the day leaves; undefined: not known yet. */
  readonly leftToday: string | undefined;
}

/** The smaller one of what is there and what may be withdrawn. */
function mostOf({ balance }: Account, leftToday: string | undefined): string {
  return leftToday !== undefined && toUnits(leftToday) < toUnits(balance) ? leftToday : balance;
}

function AmountField({ draft, account, leftToday, onDraft }: AmountFieldProps) {
  const { t } = useTranslation('withdraw');
  return (
    <TextInput
      name="amount"
      label={t('amount')}
      description={account && <Available balance={account.balance} currency={account.currency} />}
      inputMode="decimal"
      autoComplete="off"
      value={draft.amount}
      onChange={(event) => onDraft({ ...draft, amount: event.currentTarget.value })}
      trailing={
        <Button
          variant="subtle"
          size="xs"
          onClick={() => onDraft({ ...draft, amount: account ? mostOf(account, leftToday) : '' })}
        >
          {t('wallets:max')}
        </Button>
      }
    />
  );
}

/** Finds what is wrong with an amount before it is sent. */
function useAmountCheck(currency: string, network: string) {
  const { t } = useTranslation('withdraw');
  const { minimum, left_today: leftToday } = useQuery(termsQuery(currency, network)).data ?? {};
  const check = (amount: string, balance: string): string | undefined => {
    if (!/^\d+(\.\d+)?$/.test(amount)) return t('wallets:amountInvalid');
    if (toUnits(amount) > toUnits(balance)) return t('common:problem.insufficient_funds');
    if (leftToday !== undefined && toUnits(amount) > toUnits(leftToday))
      return t('aboveLeftToday', { amount: amountText(leftToday, currency) });
    return minimum !== undefined && toUnits(amount) < toUnits(minimum)
      ? t('belowMinimum', { amount: amountText(minimum, currency) })
      : undefined;
  };
  return { check, leftToday };
}

function Fields({ payable, currencies, addresses, sources, ...props }: FieldsProps) {
  const { draft, proof, onDraft, onConvert, onQuote } = props;
  const { t } = useTranslation('withdraw');
  const submission = useSubmission();
  const [isAdding, setAdding] = useState(false);
  const { code: currency, open_networks = [] } =
    currencies.find(({ code }) => code === draft.source) ?? {};
  const account = payable.find((entry) => entry.currency === currency);
  const usable = addresses.filter(
    ({ network, usable_at }) =>
      open_networks.includes(network) && Date.parse(usable_at) <= serverNow_ms(),
  );
  const target = usable.find(({ id }) => String(id) === draft.addressId) ?? usable[0];
  const { check, leftToday } = useAmountCheck(currency ?? '', target?.network ?? '');
  const submit = (): void => {
    const amount = draft.amount.trim();
    const problem = account && check(amount, account.balance);
    if (!account || currency === undefined || !target)
      submission.refuse({ address_id: t('noAddress') });
    else if (problem !== undefined) submission.refuse({ amount: problem });
    else
      submission.submit(async () => {
        const quote = await requestQuote({ currency, network: target.network, amount });
        onQuote({ quote, target });
      });
  };
  return (
    <>
      <Form submission={submission} submitLabel={t('seeTerms')} onSubmit={submit}>
        <FactorHint />
        <Select
          label={t('source')}
          value={draft.source}
          onChange={({ currentTarget: { value } }) =>
            value.startsWith(REWARDS)
              ? onConvert(value.slice(REWARDS.length))
              : onDraft({ ...draft, source: value, addressId: '' })
          }
          options={sources}
        />
        <Select
          name="address_id"
          label={t('to')}
          description={target ? networkText(target.network, target.network_name) : t('noAddress')}
          value={String(target?.id ?? '')}
          onChange={(event) => onDraft({ ...draft, addressId: event.currentTarget.value })}
          options={toOptions(usable)}
        />
        <Button variant="default" size="sm" icon="plus" onClick={() => setAdding(true)}>
          {t('addAddress')}
        </Button>
        <AmountField draft={draft} account={account} leftToday={leftToday} onDraft={onDraft} />
        <Terms currency={currency ?? ''} network={target?.network ?? ''} />
      </Form>
      {isAdding && <AddAddress proof={proof} onClose={() => setAdding(false)} />}
    </>
  );
}

/** An email code alone allows less. */
function FactorHint() {
  const { t } = useTranslation('withdraw');
  const methods = useMe().data?.two_factor_methods;
  if (!methods || methods.some((method) => method !== 'EMAIL')) return null;
  return (
    <Text isSmall isDimmed>
      {t('emailOnly')}
    </Text>
  );
}

interface ChoiceProps extends Props {
  readonly currencies: readonly Currency[];
  readonly assets: readonly Account[];
  readonly rewards: readonly Account[];
  readonly addresses: readonly PayoutAddress[];
}

function Choice({ currencies, assets, rewards, addresses, ...props }: ChoiceProps) {
  const { t } = useTranslation('withdraw');
  const open = currencies.filter(({ open_networks }) => open_networks.length > 0);
  const payable = assets.filter(
    (account) => isFunded(account) && open.some(({ code }) => code === account.currency),
  );
  const ofRewards = open.length === 0 ? [] : rewards.filter(isFunded);
  const [first] = ofRewards;
  const source = payable.find(({ currency }) => currency === props.draft.source) ?? payable[0];
  if (!source) {
    if (first) return <OnlyRewards onConvert={() => props.onConvert(first.currency)} />;
    return [...assets, ...rewards].some(isFunded) ? <NotOpen /> : <NothingToWithdraw />;
  }
  const sources = [
    ...payable.map(({ currency }) => ({ value: currency, label: currency })),
    ...ofRewards.map(({ currency }) => ({
      value: `${REWARDS}${currency}`,
      label: t('ofRewards', { currency }),
    })),
  ];
  return (
    <Fields
      {...props}
      draft={{ ...props.draft, source: source.currency }}
      payable={payable}
      currencies={open}
      addresses={addresses}
      sources={sources}
    />
  );
}

/** What leaves, and to where. */
export function WithdrawForm(props: Props) {
  const currencies = useCurrencies();
  const assets = useQuery(accountsQuery('asset'));
  const rewards = useQuery(accountsQuery('bonus'));
  const addresses = useQuery(addressesQuery);
  const all = combineQueries(
    combineQueries(currencies, assets),
    combineQueries(rewards, addresses),
  );
  return (
    <QueryBoundary query={all} skeleton={<SkeletonLines count={3} height={64} />}>
      {([[codes, ofAssets], [ofRewards, book]]) => (
        <Choice
          {...props}
          currencies={codes}
          assets={ofAssets}
          rewards={ofRewards}
          addresses={book}
        />
      )}
    </QueryBoundary>
  );
}
