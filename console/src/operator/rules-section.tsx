import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DateTime } from '../components/date-time.tsx';
import { Textarea } from '../components/field.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { Confirm, FormSheet, Sheet } from '../components/sheet.tsx';
import { fieldText, useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { ChangeButton } from './allows.tsx';
import { DryRunTable } from './dry-run-table.tsx';
import classes from './operator.module.css';
import {
  activateRules,
  type DryRun,
  draftRules,
  dryRunRules,
  type RulesVersion,
  rulesQuery,
} from './queries.ts';

function Drafting({
  initial,
  onClose,
}: {
  readonly initial: unknown;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('operator');
  const client = useQueryClient();
  const submission = useSubmission();
  const submit = (form: HTMLFormElement): void => {
    const text = fieldText(form, 'rules');
    if (!isJson(text)) {
      submission.refuse({ rules: t('rules.notJson') });
      return;
    }
    submission.submit(async () => {
      await draftRules(JSON.parse(text));
      await client.invalidateQueries({ queryKey: rulesQuery.queryKey });
      onClose();
    });
  };
  return (
    <FormSheet
      title={t('rules.draft')}
      onClose={onClose}
      submission={submission}
      submitLabel={t('rules.saveDraft')}
      onSubmit={submit}
    >
      <Textarea
        name="rules"
        label={t('rules.text')}
        description={t('rules.textLead')}
        defaultValue={JSON.stringify(initial, undefined, 2)}
        rows={14}
        className={classes.code}
      />
    </FormSheet>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type Open =
  | { readonly what: 'draft' }
  | { readonly what: 'run'; readonly run: DryRun }
  | { readonly what: 'activate'; readonly version: number };

interface VersionProps {
  readonly version: RulesVersion;
  /** It applies, or is about to: nothing would change by activating it once more. */
  readonly isActive: boolean;
  readonly onOpen: (open: Open) => void;
}

function Version({ version, isActive, onOpen }: VersionProps) {
  const { t } = useTranslation('operator');
  const submission = useSubmission();
  const from = version.active_from.at(-1);
  return (
    <li className={classes.item}>
      <span className={classes.text}>
        <strong>{t('rules.version', { version: version.version })}</strong>
        <span className={classes.small}>
          {from === undefined ? t('rules.isDraft') : t('rules.activeFrom')}{' '}
          {from !== undefined && <DateTime iso={from} />}
        </span>
        <code className={classes.hash}>{version.hash}</code>
        <span role="alert" className={classes.failure}>
          {submission.message}
        </span>
      </span>
      <span className={classes.buttons}>
        <ChangeButton
          scope="operator:rules"
          variant="default"
          size="xs"
          isBusy={submission.isPending}
          onClick={() =>
            submission.submit(async () =>
              onOpen({ what: 'run', run: await dryRunRules(version.version) }),
            )
          }
        >
          {t('rules.dryRun')}
        </ChangeButton>
        {!isActive && (
          <ChangeButton
            scope="operator:rules"
            variant="default"
            size="xs"
            onClick={() => onOpen({ what: 'activate', version: version.version })}
          >
            {t('rules.activate')}
          </ChangeButton>
        )}
      </span>
    </li>
  );
}

/** The version whose hour came last, or will. */
function lastActivated(list: readonly RulesVersion[]): number | undefined {
  const lastHour = ({ active_from: hours }: RulesVersion): string => hours.at(-1) ?? '';
  const [last] = list
    .filter(({ active_from: hours }) => hours.length > 0)
    .toSorted((a, b) => (lastHour(a) < lastHour(b) ? 1 : -1));
  return last?.version;
}

interface OpenedProps {
  readonly open: Open;
  /** Rules that a new draft begins with. */
  readonly latest: unknown;
  readonly onClose: () => void;
}

/** The sheet over the list. */
function Opened({ open, latest, onClose }: OpenedProps) {
  const { t } = useTranslation('operator');
  const client = useQueryClient();
  const activation = useSubmission();
  const activate = (version: number): void =>
    activation.submit(async () => {
      await activateRules(version);
      await client.invalidateQueries({ queryKey: rulesQuery.queryKey });
      onClose();
    });
  if (open.what === 'draft') return <Drafting initial={latest ?? {}} onClose={onClose} />;
  if (open.what === 'run')
    return (
      <Sheet title={t('rules.dryRun')} onClose={onClose}>
        <DryRunTable run={open.run} />
      </Sheet>
    );
  return (
    <Confirm
      title={t('rules.activateTitle', { version: open.version })}
      onClose={onClose}
      confirmLabel={t('rules.activate')}
      outcome={activation}
      onConfirm={() => activate(open.version)}
    >
      <p>{t('rules.activateLead')}</p>
    </Confirm>
  );
}

/** What is paid for what: versions, what a draft would change, and from when it applies. */
export function RulesSection() {
  const { t } = useTranslation('operator');
  const rules = useQuery(rulesQuery);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  return (
    <Section
      title={t('view.rules')}
      lead={t('rules.lead')}
      actions={
        <ChangeButton scope="operator:rules" size="sm" onClick={() => setOpen({ what: 'draft' })}>
          {t('rules.draft')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={rules} skeleton={<SkeletonLines count={2} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="gauge" title={t('rules.none')}>
              {t('rules.noneLead')}
            </EmptyState>
          ) : (
            <ul className={classes.list}>
              {list.map((version) => (
                <Version
                  key={version.version}
                  version={version}
                  isActive={version.version === lastActivated(list)}
                  onOpen={setOpen}
                />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {open && <Opened open={open} latest={rules.data?.[0]?.rules} onClose={close} />}
    </Section>
  );
}
