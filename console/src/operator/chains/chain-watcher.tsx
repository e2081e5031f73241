/** Control of the watcher of a network: halted, resumed from a block, sent to old blocks again. */
import { useState } from 'react';
import { TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Confirm } from '../../components/sheet.tsx';
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

interface Block {
  readonly height: number;
  readonly hash: string;
}

interface ConfirmProps extends Props {
  readonly block: Block;
  readonly onClose: () => void;
}

function ConfirmResuming({ chain, block, onDone, onClose }: ConfirmProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const { name, network } = chain;
  return (
    <Confirm
      title={t('chains.resumeTitle', { name, height: block.height })}
      onClose={onClose}
      confirmLabel={t('chains.resume')}
      isDanger
      outcome={operation}
      onConfirm={() => operation.run(() => resumeChain(network, block), onDone)}
    >
      <p>{t('chains.resumeLead')}</p>
      <p>
        <code className={classes.address}>{block.hash}</code>
      </p>
    </Confirm>
  );
}

/** No submission: the form only leads to what is confirmed. */
const LEADS_ON = { isPending: false, message: '' } as const;

/** What a halted network continues from. */
export function ResumeForm({ chain, onDone }: Props) {
  const { t } = useTranslation('operator');
  const [block, setBlock] = useState<Block>();
  const submit = (target: HTMLFormElement): void =>
    setBlock({ height: Number(fieldText(target, 'height')), hash: fieldText(target, 'hash') });
  return (
    <>
      <Form submission={LEADS_ON} submitLabel={t('chains.resume')} onSubmit={submit}>
        <p className={classes.failure}>{haltText(t, chain)}</p>
        <p>{t('chains.resumeLead')}</p>
        <TextInput
          name="height"
          label={t('chains.height')}
          inputMode="numeric"
          pattern="\d{1,15}"
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
      {block && (
        <ConfirmResuming
          chain={chain}
          block={block}
          onDone={onDone}
          onClose={() => setBlock(undefined)}
        />
      )}
    </>
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
