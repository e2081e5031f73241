/** Control of the watcher of a network: halted, resumed from a block, sent to old blocks again. */
import { TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { showToast } from '../../components/toaster.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { haltText } from '../../i18n/message-code-text.ts';
import classes from '../operator.module.css';
import { type Chain, haltChain, resumeChain, searchChainAgain } from '../queries.ts';
import { useOperation } from '../use-operator-mutation.ts';

const REASON_MAX = 500;

interface Props {
  readonly chain: Chain;
  readonly onDone: () => void;
}

/** What a halted network continues from. */
export function ResumeForm({ chain, onDone }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const submit = (target: HTMLFormElement): void =>
    operation.run(
      () =>
        resumeChain(chain.network, {
          height: Number(fieldText(target, 'height')),
          hash: fieldText(target, 'hash'),
        }),
      onDone,
    );
  return (
    <Form submission={operation} submitLabel={t('chains.resume')} onSubmit={submit}>
      <p className={classes.failure}>{haltText(t, chain)}</p>
      <p>{t('chains.resumeLead')}</p>
      <TextInput
        name="height"
        label={t('chains.height')}
        inputMode="numeric"
        required
        autoComplete="off"
      />
      <TextInput
        name="hash"
        label={t('chains.hash')}
        required
        autoComplete="off"
        spellCheck={false}
      />
    </Form>
  );
}

/** Nothing more is credited: while a block, or an endpoint, is not believed. */
export function HaltForm({ chain, onDone }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const submit = (target: HTMLFormElement): void =>
    operation.run(() => haltChain(chain.network, fieldText(target, 'reason')), onDone);
  return (
    <section aria-label={t('chains.haltPart')}>
      <h2 className={classes.part}>{t('chains.haltPart')}</h2>
      <Form
        submission={operation}
        submitLabel={t('chains.haltNow')}
        variant="default"
        onSubmit={submit}
      >
        <p>{t('chains.haltLead')}</p>
        <TextInput
          name="reason"
          label={t('chains.haltReason')}
          maxLength={REASON_MAX}
          required
          autoComplete="off"
        />
      </Form>
    </section>
  );
}

/** For a deposit that is missing: its block was read before its address was known, or never. */
export function SearchAgainForm({ chain }: Pick<Props, 'chain'>) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const submit = (target: HTMLFormElement): void =>
    operation.run(async () => {
      const from = Number(fieldText(target, 'from_height'));
      const { from_height, to_height } = await searchChainAgain(chain.network, from);
      showToast(t('chains.searching', { from: from_height, to: to_height }));
    });
  return (
    <section aria-label={t('chains.searchPart')}>
      <h2 className={classes.part}>{t('chains.searchPart')}</h2>
      <Form
        submission={operation}
        submitLabel={t('chains.searchAgain')}
        variant="default"
        onSubmit={submit}
      >
        <p>{t('chains.searchLead')}</p>
        <TextInput
          name="from_height"
          label={t('chains.firstBlock')}
          inputMode="numeric"
          required
          autoComplete="off"
        />
      </Form>
    </section>
  );
}
