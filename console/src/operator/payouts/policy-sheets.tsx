import { useState } from 'react';
import { useCurrencies } from '../../api/currencies.ts';
import { Button } from '../../components/button.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Switch } from '../../components/segmented-control.tsx';
import { Confirm, FormSheet, Sheet } from '../../components/sheet.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useNetworkName } from '../network-name.ts';
import { useOperation } from '../use-operator-mutation.ts';
import { AMOUNT_NAMES, replaceRule, toOrder } from './policy-order.ts';
import { type PayoutPolicy, type PolicyRule, putPolicy } from './queries.ts';

interface Props {
  readonly policy: PayoutPolicy | undefined;
  readonly onClose: () => void;
}

/** What a rule is about, and its amounts in that currency; of a rule that exists, both stay. */
function RuleFields({ rule }: { readonly rule: PolicyRule | undefined }) {
  const { t } = useTranslation('operator');
  const nameOf = useNetworkName();
  const currencies = useCurrencies().data ?? [];
  const networks = [...new Set(currencies.flatMap((currency) => currency.networks))];
  const codes = currencies.filter((entry) => entry.networks.length > 0).map(({ code }) => code);
  const [chosen, setChosen] = useState<string>();
  const currency = rule?.currency ?? chosen ?? codes[0] ?? '';
  return (
    <>
      <Select
        name="currency"
        label={t('payouts.currency')}
        value={currency}
        onChange={(event) => setChosen(event.currentTarget.value)}
        options={rule ? [rule.currency] : codes}
      />
      <Select
        name="network"
        label={t('payouts.network')}
        defaultValue={rule?.network}
        options={(rule ? [rule.network] : networks).map((code) => ({
          value: code,
          label: nameOf(code),
        }))}
      />
      {AMOUNT_NAMES.map((name) => (
        <TextInput
          key={name}
          name={name}
          label={t('inUnit', { name: t(`payouts.amounts.${name}`), unit: currency })}
          defaultValue={rule?.[name]}
          inputMode="decimal"
          autoComplete="off"
          required
        />
      ))}
    </>
  );
}

function readRule(form: HTMLFormElement): PolicyRule {
  const names = ['currency', 'network', ...AMOUNT_NAMES] as const;
  return Object.fromEntries(names.map((name) => [name, fieldText(form, name)])) as PolicyRule;
}

interface RemovalProps extends Props {
  readonly rule: PolicyRule;
  readonly onRemoved: () => void;
}

/** Without its rule, a currency is not paid out on that network. */
function ConfirmRemoval({ policy, rule, onClose, onRemoved }: RemovalProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const network = useNetworkName()(rule.network);
  return (
    <Confirm
      title={t('payouts.removeRuleTitle', { currency: rule.currency, network })}
      onClose={onClose}
      confirmLabel={t('payouts.removeRule')}
      isDanger
      outcome={operation}
      onConfirm={() =>
        operation.run(() => putPolicy(replaceRule(toOrder(policy), rule)), onRemoved)
      }
    >
      <p>{t('payouts.removeRuleLead')}</p>
    </Confirm>
  );
}

interface RuleProps extends Props {
  readonly rule: PolicyRule | undefined;
}

/** One rule of the policy. */
export function RuleSheet({ policy, rule, onClose }: RuleProps) {
  const { t } = useTranslation('operator');
  const nameOf = useNetworkName();
  const operation = useOperation();
  const [isRemoving, setRemoving] = useState(false);
  const title = rule
    ? t('payouts.rule', { currency: rule.currency, network: nameOf(rule.network) })
    : t('payouts.addRule');
  return (
    <Sheet title={title} onClose={onClose}>
      <Form
        submission={operation}
        submitLabel={t('payouts.saveRule')}
        onSubmit={(form) =>
          operation.run(
            () => putPolicy(replaceRule(toOrder(policy), rule, readRule(form))),
            onClose,
          )
        }
        footer={
          rule && (
            <Button variant="default" onClick={() => setRemoving(true)}>
              {t('payouts.removeRule')}
            </Button>
          )
        }
      >
        <RuleFields rule={rule} />
      </Form>
      {/* Not within the form: it is one of its own. */}
      {rule && isRemoving && (
        <ConfirmRemoval
          policy={policy}
          rule={rule}
          onClose={() => setRemoving(false)}
          onRemoved={() => {
            setRemoving(false);
            onClose();
          }}
        />
      )}
    </Sheet>
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
