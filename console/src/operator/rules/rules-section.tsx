import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRewardCurrency } from '../../api/currencies.ts';
import { Button } from '../../components/button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { type Submission, useSubmission } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { serverNow_ms } from '../../lib/server-clock.ts';
import { ChangeButton } from '../allows.tsx';
import type { Values } from '../differences/list-differences.ts';
import classes from '../operator.module.css';
import { type DryRun, dryRunRules, type RulesVersion, rulesQuery } from '../queries.ts';
import { ActivateSheet } from './activate-sheet.tsx';
import { DraftSheet } from './draft-sheet.tsx';
import { DryRunTable } from './dry-run-table.tsx';
import { EXAMPLE } from './example.ts';
import { NoRules } from './no-rules.tsx';
import type { Rules } from './rules-fields.ts';
import { paymentTexts } from './rules-words.ts';
import { ShowSheet } from './show-sheet.tsx';

type Open =
  | { readonly what: 'draft'; readonly start?: Rules }
  | { readonly what: 'run'; readonly run: DryRun }
  | { readonly what: 'show' | 'change' | 'activate'; readonly version: RulesVersion };

interface VersionProps {
  readonly version: RulesVersion;
  /** It applies, or is about to: nothing would change by activating it once more. */
  readonly isActive: boolean;
  readonly onOpen: (open: Open) => void;
}

function VersionButtons({
  version,
  isActive,
  submission,
  onOpen,
}: VersionProps & { readonly submission: Submission }) {
  const { t } = useTranslation('operator');
  const number = version.version;
  const button = { scope: 'operator:rules', variant: 'default', size: 'xs' } as const;
  const run = (): void =>
    submission.submit(async () => onOpen({ what: 'run', run: await dryRunRules(number) }));
  return (
    <span className={classes.buttons}>
      <Button
        variant="default"
        size="xs"
        aria-label={t('rules.showName', { version: number })}
        onClick={() => onOpen({ what: 'show', version })}
      >
        {t('rules.show')}
      </Button>
      {version.draft && (
        <ChangeButton
          {...button}
          aria-label={t('rules.changeName', { version: number })}
          onClick={() => onOpen({ what: 'change', version })}
        >
          {t('rules.change')}
        </ChangeButton>
      )}
      <ChangeButton {...button} isBusy={submission.isPending} onClick={run}>
        {t('rules.dryRun')}
      </ChangeButton>
      {!isActive && (
        <ChangeButton {...button} onClick={() => onOpen({ what: 'activate', version })}>
          {t('rules.activate')}
        </ChangeButton>
      )}
    </span>
  );
}

/** An hour to come, or since when a version applies, or applied. */
function hourText(from: string, isActive: boolean) {
  if (Date.parse(from) > serverNow_ms()) return 'rules.activeFrom';
  return isActive ? 'rules.activeSince' : 'rules.wasActiveFrom';
}

function Version({ version, isActive, onOpen }: VersionProps) {
  const { t } = useTranslation('operator');
  const submission = useSubmission();
  const currency = useRewardCurrency();
  const from = version.active_from.at(-1);
  return (
    <li className={classes.item}>
      <span className={classes.text}>
        <strong>{t('rules.version', { version: version.version })}</strong>
        <span className={classes.small}>
          {from === undefined ? t('rules.isDraft') : t(hourText(from, isActive))}{' '}
          {from !== undefined && <DateTime iso={from} />}
        </span>
        {paymentTexts(t, version.rules, currency).map((text) => (
          <span key={text} className={classes.small}>
            {text}
          </span>
        ))}
        <span role="alert" className={classes.failure}>
          {submission.message}
        </span>
      </span>
      <VersionButtons
        version={version}
        isActive={isActive}
        submission={submission}
        onOpen={onOpen}
      />
    </li>
  );
}

/** The version whose hour came last, or will. */
function lastActivated(list: readonly RulesVersion[]): RulesVersion | undefined {
  const lastHour = ({ active_from: hours }: RulesVersion): string => hours.at(-1) ?? '';
  const [last] = list
    .filter(({ active_from: hours }) => hours.length > 0)
    .toSorted((a, b) => (lastHour(a) < lastHour(b) ? 1 : -1));
  return last;
}

interface OpenedProps {
  readonly open: Open;
  /** The version that a new draft begins with. */
  readonly latest: RulesVersion | undefined;
  /** Rules that apply, or are about to. */
  readonly active: unknown;
  readonly onClose: () => void;
}

/** The sheet over the list. */
function Opened({ open, latest, active, onClose }: OpenedProps) {
  const { t } = useTranslation('operator');
  if (open.what === 'draft')
    return (
      <DraftSheet
        newest={latest?.rules ?? {}}
        newestVersion={latest?.version}
        start={open.start}
        onClose={onClose}
      />
    );
  if (open.what === 'change')
    return (
      <DraftSheet newest={open.version.rules} version={open.version.version} onClose={onClose} />
    );
  if (open.what === 'show') return <ShowSheet version={open.version} onClose={onClose} />;
  if (open.what === 'run')
    return (
      <Sheet title={t('rules.dryRun')} onClose={onClose}>
        <DryRunTable run={open.run} />
      </Sheet>
    );
  return (
    <ActivateSheet version={open.version} active={(active ?? {}) as Values} onClose={onClose} />
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
        <ChangeButton
          scope="operator:rules"
          size="sm"
          // It begins with the newest version.
          disabled={rules.data === undefined}
          onClick={() => setOpen({ what: 'draft' })}
        >
          {t('rules.draft')}
        </ChangeButton>
      }
    >
      <QueryBoundary query={rules} skeleton={<SkeletonLines count={2} />}>
        {(list) =>
          list.length === 0 ? (
            <NoRules onUse={() => setOpen({ what: 'draft', start: EXAMPLE })} />
          ) : (
            <ul className={classes.list}>
              {list.map((version) => (
                <Version
                  key={version.version}
                  version={version}
                  isActive={version === lastActivated(list)}
                  onOpen={setOpen}
                />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {open && (
        <Opened
          open={open}
          latest={rules.data?.[0]}
          active={lastActivated(rules.data ?? [])?.rules}
          onClose={close}
        />
      )}
    </Section>
  );
}
