import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import { DenseTable } from '../dense-table.tsx';
import { useNetworkName } from '../network-name.ts';
import own from './policy.module.css';
import type { AmountName } from './policy-order.ts';
import { GeneralSheet, RuleSheet } from './policy-sheets.tsx';
import { type PayoutPolicy, type PolicyRule, policyQuery } from './queries.ts';

/** What a rule has, by the column of the table. */
const PARTS = [
  ['terms', ['fee', 'minimum']],
  ['limits', ['person_day_max', 'email_only_day_max', 'day_max']],
  ['approval', ['automatic_max', 'four_eyes_above']],
] as const satisfies readonly [string, readonly AmountName[]][];

function RuleRow({ rule, onChange }: { readonly rule: PolicyRule; readonly onChange: () => void }) {
  const { t } = useTranslation('operator');
  const { currency, network } = rule;
  const name = useNetworkName()(network);
  return (
    <tr>
      <td className={own.rule}>
        <strong>{t('payouts.rule', { currency, network: name })}</strong>
      </td>
      {PARTS.map(([part, amounts]) => (
        <td key={part} className={own.amounts}>
          {amounts.map((amount) => (
            <span key={amount}>
              <span className={own.name}>{t(`payouts.amounts.${amount}`)}</span>
              <Amount value={rule[amount]} currency={currency} digits="readable" size="sm" />
            </span>
          ))}
        </td>
      ))}
      <td className={own.change}>
        <ChangeButton
          scope="operator:payouts"
          variant="default"
          size="xs"
          aria-label={t('payouts.changeRuleName', { currency, network: name })}
          onClick={onChange}
        >
          {t('payouts.changeRule')}
        </ChangeButton>
      </td>
    </tr>
  );
}

function Rules({
  rules,
  onChange,
}: {
  readonly rules: readonly PolicyRule[];
  readonly onChange: (rule: PolicyRule) => void;
}) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('payouts.policy')}
      columns={[
        { key: 'rule', label: t('payouts.ruleParts.rule'), className: own.rule },
        ...PARTS.map(([part]) => ({
          key: part,
          label: t(`payouts.ruleParts.${part}`),
          className: own[part],
        })),
        {
          key: 'change',
          label: t('payouts.changeRule'),
          className: own.change,
          isUnseen: true,
        },
      ]}
    >
      {rules.map((rule) => (
        <RuleRow
          key={`${rule.currency} ${rule.network}`}
          rule={rule}
          onChange={() => onChange(rule)}
        />
      ))}
    </DenseTable>
  );
}

function General({ policy }: { readonly policy: PayoutPolicy }) {
  const { t } = useTranslation('operator');
  return (
    <Facts
      isPaired
      facts={[
        [
          t('payouts.version', { version: policy.version }),
          <DateTime key="at" iso={policy.created_at} />,
        ],
        [t('payouts.automaticAge'), String(policy.automatic_age_days)],
        [
          t('payouts.reviewsNewAddress'),
          t(policy.reviews_new_address === true ? 'payouts.yes' : 'payouts.no'),
        ],
        [t('payouts.sanctionsUrl'), policy.sanctions_url ?? t('payouts.noSanctions')],
      ]}
    />
  );
}

/** The rules of payouts: one for each currency and network. */
export function Policy() {
  const { t } = useTranslation('operator');
  const policy = useQuery(policyQuery);
  const [opened, setOpened] = useState<PolicyRule | 'new' | 'general'>();
  const close = (): void => setOpened(undefined);
  const current = policy.data ?? undefined;
  return (
    <Section
      title={t('payouts.policy')}
      lead={t('payouts.policyLead')}
      actions={
        <>
          <ChangeButton
            scope="operator:payouts"
            size="sm"
            variant="default"
            onClick={() => setOpened('general')}
          >
            {t('payouts.changeGeneral')}
          </ChangeButton>
          <ChangeButton
            scope="operator:payouts"
            size="sm"
            icon="plus"
            onClick={() => setOpened('new')}
          >
            {t('payouts.addRule')}
          </ChangeButton>
        </>
      }
    >
      <QueryBoundary query={policy} skeleton={<SkeletonLines count={3} />}>
        {(found) =>
          found === null ? (
            <EmptyState icon="shield" title={t('payouts.noPolicy')} />
          ) : (
            <>
              <General policy={found} />
              <Rules rules={found.rules} onChange={setOpened} />
            </>
          )
        }
      </QueryBoundary>
      {opened === 'general' && <GeneralSheet policy={current} onClose={close} />}
      {opened !== undefined && opened !== 'general' && (
        <RuleSheet policy={current} rule={opened === 'new' ? undefined : opened} onClose={close} />
      )}
    </Section>
  );
}
