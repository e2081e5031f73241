/** A draft of rules: in fields, or as the JSON that they stand for, with what it changes. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRewardCurrency } from '../../api/currencies.ts';
import { Textarea } from '../../components/field.tsx';
import { Segments } from '../../components/segmented-control.tsx';
import { FormSheet } from '../../components/sheet.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { DifferenceTable } from '../differences/difference-table.tsx';
import type { Values } from '../differences/list-differences.ts';
import operator from '../operator.module.css';
import { draftRules, replaceRules, rulesQuery } from '../queries.ts';
import classes from './rules.module.css';
import { fieldsOf, parseJson, type RulesFields, toFields, toRules } from './rules-fields.ts';
import { RulesForm } from './rules-form.tsx';
import { rulesFieldText } from './rules-words.ts';

interface Props {
  /** What the draft is compared with: the newest version, or the one that it replaces. */
  readonly newest: unknown;
  /** The number of it; absent: there is none yet. */
  readonly newestVersion?: number | undefined;
  /** The draft that it replaces; absent: it becomes a version of its own. */
  readonly version?: number;
  /** What the draft begins as, where it is not the newest version. */
  readonly start?: unknown;
  readonly onClose: () => void;
}

const VIEWS = ['fields', 'json'] as const;
type View = (typeof VIEWS)[number];

const write = (rules: unknown): string => JSON.stringify(rules, undefined, 2);

/** The draft in one of its two forms; the other is made of it. */
function useDraft(start: unknown) {
  const [fields, setFields] = useState<RulesFields>(() => fieldsOf(start) ?? toFields({}));
  const [text, setText] = useState(() => write(start));
  const [view, setView] = useState<View>(fieldsOf(start) ? 'fields' : 'json');
  const value = view === 'fields' ? toRules(fields) : parseJson(text);
  return {
    ...{ fields, setFields, text, setText, view, value },
    /** @returns false: the form has no place for what the text says */
    show(next: View): boolean {
      const shown = next === 'fields' ? fieldsOf(value) : undefined;
      if (next === 'fields' && !shown) return false;
      if (shown) setFields(shown);
      else setText(write(value));
      setView(next);
      return true;
    },
  };
}

interface ChangesProps {
  readonly before: unknown;
  readonly after: unknown;
  /** The version that it is compared with. */
  readonly compared: number | undefined;
}

function Changes({ before, after, compared }: ChangesProps) {
  const { t } = useTranslation('operator');
  const currency = useRewardCurrency();
  return (
    <>
      <h3 className={classes.heading}>{t('rules.changes')}</h3>
      <DifferenceTable
        before={before as Values}
        after={after as Values}
        none={
          compared === undefined
            ? t('rules.noRulesYet')
            : t('rules.noChanges', { version: compared })
        }
        nameOf={(path) => rulesFieldText(t, path, currency)}
      />
    </>
  );
}

export function DraftSheet({ newest, newestVersion, version, start = newest, onClose }: Props) {
  const { t } = useTranslation('operator');
  const client = useQueryClient();
  const submission = useSubmission();
  const draft = useDraft(start);
  const submit = (): void => {
    if (draft.value === undefined) {
      submission.refuse({ rules: t('rules.notJson') });
      return;
    }
    submission.submit(async () => {
      await (version === undefined ? draftRules(draft.value) : replaceRules(version, draft.value));
      await client.invalidateQueries({ queryKey: rulesQuery.queryKey });
      onClose();
    });
  };
  return (
    <FormSheet
      title={version === undefined ? t('rules.draft') : t('rules.changeName', { version })}
      onClose={onClose}
      submission={submission}
      submitLabel={t('rules.saveDraft')}
      onSubmit={submit}
    >
      <Segments
        label={t('rules.view')}
        value={draft.view}
        options={VIEWS.map((value) => ({ value, label: t(`rules.views.${value}`) }))}
        onChange={(view) => {
          submission.setMessage('');
          if (!draft.show(view)) submission.refuse({ rules: t('rules.notInForm') });
        }}
      />
      {draft.view === 'fields' ? (
        <RulesForm fields={draft.fields} onChange={draft.setFields} />
      ) : (
        <Textarea
          name="rules"
          label={t('rules.text')}
          description={t('rules.textLead')}
          value={draft.text}
          onChange={(event) => draft.setText(event.currentTarget.value)}
          rows={14}
          className={operator.code}
        />
      )}
      <Changes before={newest} after={draft.value ?? newest} compared={version ?? newestVersion} />
    </FormSheet>
  );
}
