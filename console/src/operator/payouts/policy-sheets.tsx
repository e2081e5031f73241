import { useState } from 'react';
import { useCurrencies } from '../../api/currencies.ts';
import { Button } from '../../components/button.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { FormSheet } from '../../components/sheet.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useNetworkName } from '../network-name.ts';
import { useOperation } from '../use-operator-mutation.ts';
import { AMOUNT_NAMES, replaceRule, toOrder } from './policy-order.ts';
import { type PayoutPolicy, type PolicyOrder, type PolicyRule, putPolicy } from './queries.ts';

interface Props {
  readonly policy: PayoutPolicy | undefined;
  readonly onClose: () => void;
}

/** What a rule is about; of a rule that exists, it stays. */
function RuleTarget({ rule }: { readonly rule: PolicyRule | undefined }) {
  const { t } = useTranslation('operator');
  const currencies = useCurrencies().data ?? [];
  const networks = [...new Set(currencies.flatMap((currency) => currency.networks))];
  const codes = currencies.filter((entry) => entry.networks.length > 0).map(({ code }) => code);
  return (
    <>
      <Select
        name="currency"
        label={t('payouts.currency')}
        defaultValue={rule?.currency}
        options={rule ? [rule.currency] : codes}
      />
      <Select
        name="network"
        label={t('payouts.networkCode')}
        defaultValue={rule?.network}
        options={rule ? [rule.network] : networks}
      />
    </>
  );
}

function readRule(form: HTMLFormElement): PolicyRule {
  const names = ['currency', 'network', ...AMOUNT_NAMES] as const;
  return Object.fromEntries(names.map((name) => [name, fieldText(form, name)])) as PolicyRule;
}

/** One rule of the policy. */
export function RuleSheet({
  policy,
  rule,
  onClose,
}: Props & { readonly rule: PolicyRule | undefined }) {
  const { t } = useTranslation('operator');
  const nameOf = useNetworkName();
  const operation = useOperation();
  const save = (order: PolicyOrder): void => operation.run(() => putPolicy(order), onClose);
  return (
    <FormSheet
      title={
        rule
          ? t('payouts.rule', { currency: rule.currency, network: nameOf(rule.network) })
          : t('payouts.addRule')
      }
      onClose={onClose}
      submission={operation}
      submitLabel={t('payouts.saveRule')}
      onSubmit={(form) => save(replaceRule(toOrder(policy), rule, readRule(form)))}
      footer={
        rule && (
          <Button variant="default" onClick={() => save(replaceRule(toOrder(policy), rule))}>
            {t('payouts.removeRule')}
          </Button>
        )
      }
    >
      <RuleTarget rule={rule} />
      {AMOUNT_NAMES.map((name) => (
        <TextInput
          key={name}
          name={name}
          label={t(`payouts.amounts.${name}`)}
          defaultValue={rule?.[name]}
          inputMode="decimal"
          autoComplete="off"
          required
        />
      ))}
    </FormSheet>
  );
}

/** What holds for all currencies. */
export function GeneralSheet({ policy, onClose }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const order = toOrder(policy);
  const [isReviewed, setReviewed] = useState(order.reviews_new_address !== false);
  const save = (form: HTMLFormElement): void => {
    const days = fieldText(form, 'automatic_age_days');
    const sanctions_url = fieldText(form, 'sanctions_url');
    if (!/^\d{1,5}$/.test(days)) {
      operation.refuse({ automatic_age_days: t('common:fieldKind.pattern') });
      return;
    }
    operation.run(
      () =>
        putPolicy({
          rules: order.rules,
          automatic_age_days: Number(days),
          reviews_new_address: isReviewed,
          ...(sanctions_url !== '' && { sanctions_url }),
        }),
      onClose,
    );
  };
  return (
    <FormSheet
      title={t('payouts.general')}
      onClose={onClose}
      submission={operation}
      submitLabel={t('payouts.saveRule')}
      onSubmit={save}
    >
      <TextInput
        name="automatic_age_days"
        label={t('payouts.automaticAge')}
        defaultValue={order.automatic_age_days}
        inputMode="numeric"
        autoComplete="off"
        required
      />
      <Switch label={t('payouts.reviewsNewAddress')} isOn={isReviewed} onChange={setReviewed} />
      <TextInput
        name="sanctions_url"
        label={t('payouts.sanctionsUrl')}
        defaultValue={order.sanctions_url}
        inputMode="url"
        autoComplete="off"
      />
    </FormSheet>
  );
}
