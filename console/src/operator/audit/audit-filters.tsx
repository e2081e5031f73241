import { useState } from 'react';
import { DateInput } from '../../components/date-input.tsx';
import { Select, TextInput } from '../../components/field.tsx';
import form from '../../components/form.module.css';
import { DaysNote } from '../../components/utc-day-hint.tsx';
import { audit } from '../../i18n/en/operator-audit.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ACTOR_KINDS, type AuditFilter } from './audit-filter.ts';
import { actorKindText, operationText, subjectKindText } from './audit-words.ts';

interface WordsProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A number or name, which counts once it is whole: after Enter, or when the field is left. */
function Words({ label, value, onChange }: WordsProps) {
  const [known, setKnown] = useState(value);
  const [typed, setTyped] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  const take = (): void => {
    if (typed.trim() !== value) onChange(typed.trim());
  };
  return (
    <TextInput
      label={label}
      value={typed}
      maxLength={255}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  );
}

interface ChoiceProps extends WordsProps {
  readonly codes: readonly string[];
  readonly textOf: (code: string) => string;
}

/** One of what is known by name; what the address names is among them. */
function Choice({ codes, textOf, ...select }: ChoiceProps) {
  const { t, language } = useTranslation('operator');
  const known = codes.includes(select.value) || select.value === '' ? [] : [select.value];
  const named = [...known, ...codes].map((value) => ({ value, label: textOf(value) }));
  named.sort((a, b) => a.label.localeCompare(b.label, language));
  return (
    <Select
      label={select.label}
      value={select.value}
      onChange={(event) => select.onChange(event.currentTarget.value)}
      options={[{ value: '', label: t('audit.all') }, ...named]}
    />
  );
}

interface FiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (change: AuditFilter) => void;
}

/** Beside the search: what they name is looked for together. */
export function AuditFilters({ filter, onChange }: FiltersProps) {
  const { t } = useTranslation('operator');
  const of = (name: keyof AuditFilter) => ({
    value: filter[name] ?? '',
    onChange: (value: string) => onChange({ [name]: value || undefined }),
  });
  return (
    <>
      <Choice
        label={t('audit.actorKind')}
        codes={ACTOR_KINDS}
        textOf={(code) => actorKindText(t, code)}
        {...of('actorKind')}
      />
      <Words label={t('audit.actorId')} {...of('actorId')} />
      <Choice
        label={t('audit.subjectKind')}
        codes={Object.keys(audit.subjects)}
        textOf={(code) => subjectKindText(t, code)}
        {...of('subjectKind')}
      />
      <Words label={t('audit.subjectId')} {...of('subjectId')} />
      <Words label={t('audit.userId')} {...of('userId')} />
      <DateInput label={t('audit.from')} notAfter={filter.endTime} {...of('beginTime')} />
      <DateInput label={t('audit.to')} notBefore={filter.beginTime} {...of('endTime')} />
      <Choice
        label={t('audit.operationFilter')}
        codes={Object.keys(audit.operation)}
        textOf={(code) => operationText(t, code)}
        {...of('operation')}
      />
      <DaysNote className={form.days} />
    </>
  );
}
