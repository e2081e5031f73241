import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import classes from '../operator.module.css';
import { AMOUNT_NAMES } from './policy-order.ts';
import { GeneralSheet, RuleSheet } from './policy-sheets.tsx';
import { type PayoutPolicy, type PolicyRule, policyQuery } from './queries.ts';

function RuleItem({
  rule,
  onChange,
}: {
  readonly rule: PolicyRule;
  readonly onChange: () => void;
}) {
  const { t } = useTranslation('operator');
  const { currency, network } = rule;
  return (
    <li>
      <div className={classes.item}>
        <strong>{t('payouts.rule', { currency, network })}</strong>
        <ChangeButton
          scope="operator:payouts"
          variant="default"
          size="xs"
          aria-label={t('payouts.changeRuleName', { currency, network })}
          onClick={onChange}
        >
          {t('payouts.changeRule')}
        </ChangeButton>
      </div>
      <Facts
        facts={AMOUNT_NAMES.map((name) => [
          t(`payouts.amounts.${name}`),
          <Amount key={name} value={rule[name]} currency={currency} size="sm" />,
        ])}
      />
    </li>
  );
}

function General({ policy }: { readonly policy: PayoutPolicy }) {
  const { t } = useTranslation('operator');
  return (
    <Facts
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
              <ul className={classes.list} aria-label={t('payouts.policy')}>
                {found.rules.map((rule) => (
                  <RuleItem
                    key={`${rule.currency} ${rule.network}`}
                    rule={rule}
                    onChange={() => setOpened(rule)}
                  />
                ))}
              </ul>
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
