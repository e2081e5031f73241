/** The fields of rules, named as the service names what is wrong with them. */
import type { ReactNode } from 'react';
import { useRewardCurrency } from '../../api/currencies.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from './rules.module.css';
import { LIMITS, type RulesFields } from './rules-fields.ts';
import { Cell, type Field, Rows } from './rules-rows.tsx';
import { type AmountField, amountFieldText } from './rules-words.ts';

interface Props {
  readonly fields: RulesFields;
  readonly onChange: (fields: RulesFields) => void;
}

interface PartProps {
  readonly legend: string;
  readonly lead: string;
  readonly children: ReactNode;
}

function Part({ legend, lead, children }: PartProps) {
  return (
    <fieldset className={classes.part}>
      <legend>{legend}</legend>
      <p className={classes.lead}>{lead}</p>
      {children}
    </fieldset>
  );
}

/** A field that holds an amount of rewards, labelled with their currency. */
function useAmountField() {
  const { t } = useTranslation('operator');
  const currency = useRewardCurrency();
  return (label: AmountField): Field & { readonly name: 'amount' } => ({
    name: 'amount',
    label: amountFieldText(t, label, currency),
    kind: 'decimal',
  });
}

function Traffic({ fields, onChange }: Props) {
  const { t } = useTranslation('operator');
  const amountField = useAmountField();
  return (
    <Part legend={t('rules.form.traffic')} lead={t('rules.form.trafficLead')}>
      <Rows
        list="traffic"
        rows={fields.traffic}
        fields={[{ name: 'category', label: t('rules.form.category') }, amountField('perGb')]}
        empty={{ category: '*', amount: '' }}
        max={32}
        addLabel={t('rules.form.addTraffic')}
        removeLabel={(n) => t('rules.form.removeTraffic', { n })}
        onChange={(traffic) => onChange({ ...fields, traffic })}
      />
    </Part>
  );
}

function Referral({ fields, onChange }: Props) {
  const { t } = useTranslation('operator');
  return (
    <Part legend={t('rules.form.referral')} lead={t('rules.form.referralLead')}>
      <Rows
        list="referral"
        rows={fields.referral}
        fields={[
          { name: 'percent', label: t('rules.form.percent'), kind: 'decimal' },
          { name: 'uptime_hours', label: t('rules.form.uptimeHours'), kind: 'numeric' },
          { name: 'distinct_addresses', label: t('rules.form.addresses'), kind: 'numeric' },
        ]}
        empty={{ percent: '', uptime_hours: '0', distinct_addresses: '0' }}
        max={3}
        addLabel={t('rules.form.addLevel')}
        removeLabel={(n) => t('rules.form.removeLevel', { n })}
        onChange={(referral) => onChange({ ...fields, referral })}
      />
    </Part>
  );
}

function Campaigns({ fields, onChange }: Props) {
  const { t } = useTranslation('operator');
  const kind = useTranslation('devices').t;
  return (
    <Part legend={t('rules.form.campaigns')} lead={t('rules.form.campaignsLead')}>
      <Rows
        list="campaigns"
        rows={fields.campaigns.map((campaign) => ({ ...campaign }))}
        fields={[
          { name: 'name', label: t('rules.form.name') },
          { name: 'percent', label: t('rules.form.percent'), kind: 'decimal' },
          { name: 'from', label: t('rules.form.from'), kind: 'datetime-local' },
          { name: 'before', label: t('rules.form.before'), kind: 'datetime-local' },
          {
            name: 'device_type',
            label: t('rules.form.devices'),
            options: [
              { value: '', label: t('rules.form.allDevices') },
              { value: 'TERMINAL', label: kind('kind.TERMINAL') },
              { value: 'EXTENSION', label: kind('kind.EXTENSION') },
            ],
          },
        ]}
        empty={{ name: '', percent: '', from: '', before: '', device_type: '' }}
        max={20}
        addLabel={t('rules.form.addCampaign')}
        removeLabel={(n) => t('rules.form.removeCampaign', { n })}
        onChange={(campaigns) => onChange({ ...fields, campaigns })}
      />
    </Part>
  );
}

export function RulesForm(props: Props) {
  const { fields, onChange } = props;
  const { t } = useTranslation('operator');
  const amountField = useAmountField();
  return (
    <>
      <Part legend={t('rules.form.uptime')} lead={t('rules.form.uptimeLead')}>
        <Cell
          field={amountField('perHour')}
          name="rules.uptime.amount"
          value={fields.uptime}
          onChange={(uptime) => onChange({ ...fields, uptime })}
        />
      </Part>
      <Traffic {...props} />
      <Referral {...props} />
      <Part legend={t('rules.form.limits')} lead={t('rules.form.limitsLead')}>
        <div className={classes.cells}>
          {LIMITS.map((name) => (
            <Cell
              key={name}
              field={{ name, label: t(`rules.form.limit.${name}`), kind: 'numeric' }}
              name={`rules.limits.${name}`}
              value={fields.limits[name]}
              onChange={(value) =>
                onChange({ ...fields, limits: { ...fields.limits, [name]: value } })
              }
            />
          ))}
        </div>
      </Part>
      <Campaigns {...props} />
      <Part legend={t('rules.form.penalty')} lead={t('rules.form.penaltyLead')}>
        <Cell
          field={amountField('perReport')}
          name="rules.penalty.amount"
          value={fields.penalty}
          onChange={(penalty) => onChange({ ...fields, penalty })}
        />
      </Part>
    </>
  );
}
