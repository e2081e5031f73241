/** The fields of rules, named as the service names what is wrong with them. */
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './rules.module.css';
import { LIMITS, type RulesFields } from './rules-fields.ts';

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

/** What a text field of a row has to know. */
interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind?: 'decimal' | 'numeric' | 'datetime-local' | undefined;
  /** Values to choose from, with their words, instead of a text. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

type Row = Readonly<Record<string, string>>;

interface RowsProps<T extends Row> {
  /** The name of the list in the rules. */
  readonly list: string;
  readonly rows: readonly T[];
  readonly fields: readonly (Field & { readonly name: keyof T & string })[];
  readonly empty: T;
  readonly max: number;
  readonly addLabel: string;
  /** What the button says that removes row `n`. */
  readonly removeLabel: (n: number) => string;
  readonly onChange: (rows: readonly T[]) => void;
}

function Cell({
  field,
  name,
  value,
  onChange,
}: {
  readonly field: Field;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  if (field.options)
    return (
      <Select
        name={name}
        label={field.label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        options={[...field.options]}
      />
    );
  const isTime = field.kind === 'datetime-local';
  return (
    <TextInput
      name={name}
      label={field.label}
      value={value}
      autoComplete="off"
      spellCheck={false}
      {...(isTime
        ? { type: 'datetime-local', step: 3600 }
        : { inputMode: field.kind === undefined ? 'text' : field.kind })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Rows<T extends Row>(props: RowsProps<T>) {
  const { list, rows, fields, empty, max, addLabel, removeLabel, onChange } = props;
  return (
    <>
      {rows.map((row, at) => (
        // A row has no other identity than its place.
        <div key={String(at)} className={classes.row}>
          <div className={classes.cells}>
            {fields.map((field) => (
              <Cell
                key={field.name}
                field={field}
                name={`rules.${list}.${at}.${field.name}`}
                value={row[field.name] ?? ''}
                onChange={(value) =>
                  onChange(rows.map((one, n) => (n === at ? { ...one, [field.name]: value } : one)))
                }
              />
            ))}
          </div>
          <IconButton
            icon="close"
            label={removeLabel(at + 1)}
            onClick={() => onChange(rows.filter((_, n) => n !== at))}
          />
        </div>
      ))}
      {rows.length < max && (
        <Button variant="default" size="sm" onClick={() => onChange([...rows, empty])}>
          {addLabel}
        </Button>
      )}
    </>
  );
}

function Traffic({ fields, onChange }: Props) {
  const { t } = useTranslation('operator');
  return (
    <Part legend={t('rules.form.traffic')} lead={t('rules.form.trafficLead')}>
      <Rows
        list="traffic"
        rows={fields.traffic}
        fields={[
          { name: 'category', label: t('rules.form.category') },
          { name: 'amount', label: t('rules.form.perGb'), kind: 'decimal' },
        ]}
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
  return (
    <>
      <Part legend={t('rules.form.uptime')} lead={t('rules.form.uptimeLead')}>
        <Cell
          field={{ name: 'amount', label: t('rules.form.perHour'), kind: 'decimal' }}
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
          field={{ name: 'amount', label: t('rules.form.perReport'), kind: 'decimal' }}
          name="rules.penalty.amount"
          value={fields.penalty}
          onChange={(penalty) => onChange({ ...fields, penalty })}
        />
      </Part>
    </>
  );
}
