import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Currency, useCurrencies } from '../api/currencies.ts';
import { isProblem } from '../api/problem.ts';
import { Amount, amountText } from '../components/amount.tsx';
import { CopyButton } from '../components/copy.tsx';
import { Facts } from '../components/description-list.tsx';
import { Select } from '../components/field.tsx';
import { GroupedAddress } from '../components/grouped-address.tsx';
import {
  EmptyState,
  isPending,
  QueryBoundary,
  Section,
  SkeletonLines,
} from '../components/layout.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { SkeletonOver } from '../components/skeleton.tsx';
import { useTranslation } from '../i18n/index.ts';
import { joinSentences } from '../i18n/sentences.ts';
import { toUnits } from '../lib/money-text.ts';
import { networkText } from '../lib/network-text.ts';
import classes from './deposits.module.css';
import { addressQuery, type DepositAddress } from './queries.ts';

const MINUTE_S = 60;

/** What to mind before sending, in the reader's language: the service's own sentence is English. */
function Warning({ address }: { readonly address: DepositAddress }) {
  const { t, language } = useTranslation('deposits');
  const {
    currency,
    currency_network: code,
    network_name: name,
    min_deposit: minimum,
    contract_address: contract,
  } = address;
  const isEvmCoin = contract === undefined && address.address.startsWith('0x');
  return (
    <p className={classes.warning} role="note">
      <strong>{t('warning', { currency, network: networkText(code, name) })}</strong>
      {joinSentences(
        language,
        t('warningCompare'),
        t('warningLost'),
        contract !== undefined && t('warningContract'),
        toUnits(minimum) > 0n &&
          t('warningMinimum', { amount: amountText(minimum, currency).replaceAll(' ', '\u00a0') }),
        isEvmCoin && t('warningCoin', { currency }),
      )}
    </p>
  );
}

function AddressCard({ address }: { readonly address: DepositAddress }) {
  const { t } = useTranslation('deposits');
  const minutes = Math.max(1, Math.round(address.estimated_seconds / MINUTE_S));
  return (
    <>
      <Warning address={address} />
      {address.is_delayed && (
        <p className={classes.delayed} role="status">
          {t('delayed', { network: networkText(address.currency_network, address.network_name) })}
        </p>
      )}
      <div className={classes.address}>
        <QrCode text={address.uri} label={t('qr', { currency: address.currency })} />
        <div className={classes.addressText}>
          <span className={classes.label}>{t('yourAddress')}</span>
          <GroupedAddress address={address.address} />
          <CopyButton text={address.address} label={t('copyAddress')} />
          {address.memo !== undefined && (
            <>
              <span className={classes.label}>{t('memo')}</span>
              <code className={classes.code}>{address.memo}</code>
              <CopyButton text={address.memo} label={t('copyMemo')} />
            </>
          )}
          <Facts
            facts={[
              [
                t('minimum'),
                <Amount key="min" value={address.min_deposit} currency={address.currency} />,
              ],
              [
                t('confirmationsNeeded'),
                t('confirmationsIn', {
                  count: address.required_confirmations,
                  time: t('common:minutes', { count: minutes }),
                }),
              ],
              [
                t('contract'),
                address.contract_address && <GroupedAddress address={address.contract_address} />,
              ],
            ]}
          />
        </div>
      </div>
    </>
  );
}

function Choice({ currencies }: { readonly currencies: readonly Currency[] }) {
  const { t } = useTranslation('deposits');
  const [chosenCode, setCode] = useState('');
  const [chosenNetwork, setNetwork] = useState('');
  const currency = currencies.find((entry) => entry.code === chosenCode) ?? currencies[0];
  const network =
    currency?.open_networks.find((name) => name === chosenNetwork) ??
    currency?.open_networks[0] ??
    '';
  const textOf = (code: string): string => networkText(code, currency?.network_names[code]);
  const address = useQuery({
    ...addressQuery(currency?.code ?? '', network),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className={classes.choice}>
        <Select
          label={t('currency')}
          value={currency?.code ?? ''}
          onChange={(event) => setCode(event.currentTarget.value)}
          options={currencies.map((entry) => entry.code)}
        />
        <Select
          label={t('network')}
          value={network}
          onChange={(event) => setNetwork(event.currentTarget.value)}
          options={(currency?.open_networks ?? []).map((code) => ({
            value: code,
            label: textOf(code),
          }))}
        />
      </div>
      {isProblem(address.error, 'network_unavailable') ? (
        <EmptyState icon="wallet" title={t('networkNotOpen', { network: textOf(network) })}>
          {t('networkNotOpenLead')}
        </EmptyState>
      ) : (
        <QueryBoundary query={address} skeleton={<SkeletonLines count={1} height={220} />}>
          {(found) => {
            const card = <AddressCard address={found} />;
            // The address of another network must not be seen: it only keeps the place.
            return address.isPlaceholderData ? <SkeletonOver>{card}</SkeletonOver> : card;
          }}
        </QueryBoundary>
      )}
    </>
  );
}

function openOf(currencies: readonly Currency[] | undefined): readonly Currency[] {
  return currencies?.filter((currency) => currency.open_networks.length > 0) ?? [];
}

/** The address that is shown first is still being asked for. */
export function useIsAddressLoading(): boolean {
  const currencies = useCurrencies();
  const [first] = openOf(currencies.data);
  const address = useQuery(addressQuery(first?.code ?? '', first?.open_networks[0] ?? ''));
  return isPending(currencies) || isPending(address);
}

/**
 * Currency, network, address. Money sent over another network is lost: the page warns before the
 * address.
 */
export function AddressSection() {
  const { t } = useTranslation('deposits');
  const currencies = useCurrencies();
  return (
    <Section title={t('addressTitle')}>
      <QueryBoundary query={currencies} skeleton={<SkeletonLines count={2} height={64} />}>
        {(list) => {
          const open = openOf(list);
          return open.length === 0 ? (
            <EmptyState icon="wallet" title={t('notOpen')}>
              {t('notOpenLead')}
            </EmptyState>
          ) : (
            <Choice currencies={open} />
          );
        }}
      </QueryBoundary>
    </Section>
  );
}
