/** What rules say, in the words of their form. */
import { trafficKindText } from '../../i18n/labels.ts';
import type { Translate } from '../../i18n/translate.ts';
import type { Rules } from './rules-fields.ts';

type Text = Translate<'operator'>;

/** The words of a field of a list, by the list and the field's name. */
const FIELDS: Readonly<Record<string, string>> = {
  'traffic.category': 'category',
  'traffic.amount': 'perGb',
  'referral.percent': 'percent',
  'referral.uptime_hours': 'uptimeHours',
  'referral.distinct_addresses': 'addresses',
  'campaigns.name': 'name',
  'campaigns.percent': 'percent',
  'campaigns.from': 'from',
  'campaigns.before': 'before',
  'campaigns.device_type': 'devices',
};

const SINGLE: Readonly<Record<string, string>> = {
  'uptime.amount': 'perHour',
  'penalty.amount': 'perReport',
  'limits.devices_per_user': 'limit.devices_per_user',
  'limits.devices_per_address': 'limit.devices_per_address',
  'limits.gb_per_device_hour': 'limit.gb_per_device_hour',
};

/** Fields that hold an amount of the currency that rewards are paid in. */
export type AmountField = 'perHour' | 'perGb' | 'perReport';
const AMOUNT_FIELDS: ReadonlySet<string> = new Set<AmountField>(['perHour', 'perGb', 'perReport']);

/** The label of an amount, with its unit once that is known. */
export function amountFieldText(t: Text, field: AmountField, currency: string): string {
  const name = t(`rules.form.${field}`);
  return currency === '' ? name : t('inUnit', { name, unit: currency });
}

const isAmountField = (name: string): name is AmountField => AMOUNT_FIELDS.has(name);

/** A value by its path (`referral.1.percent`), as the form calls it; undefined: it has no words. */
export function rulesFieldText(t: Text, path: string, currency: string): string | undefined {
  const find = (name = ''): string | undefined =>
    isAmountField(name)
      ? amountFieldText(t, name, currency)
      : t.find('operator', `rules.form.${name}`);
  const [, list = '', number = '', field = ''] = /^(\w+)\.(\d+)\.(\w+)$/.exec(path) ?? [];
  if (list === '') return find(SINGLE[path]);
  const [part, name] = [find(list), find(FIELDS[`${list}.${field}`])];
  return part !== undefined && name !== undefined ? `${part} ${number} · ${name}` : undefined;
}

/** What a version pays, a sentence for each part. */
export function paymentTexts(t: Text, rules: Rules, currency: string): string[] {
  const { uptime, traffic = [], referral = [], campaigns = [], penalty } = rules;
  const texts = [
    uptime && t('rules.example.uptime', { uptime: uptime.amount, currency }),
    ...traffic.map(({ category, amount }) =>
      category === '*'
        ? t('rules.example.traffic', { traffic: amount, currency })
        : t('rules.pays.traffic', {
            ...{ traffic: amount, currency },
            category: trafficKindText(t, category),
          }),
    ),
    ...referral.map(({ percent }, at) =>
      t('rules.pays.referral', { percent, level: String(at + 1) }),
    ),
    campaigns.length > 0 && t('rules.pays.campaigns', { count: campaigns.length }),
    penalty && t('rules.pays.penalty', { penalty: penalty.amount, currency }),
  ].filter((text) => typeof text === 'string');
  return texts.length > 0 ? texts : [t('rules.pays.nothing')];
}
