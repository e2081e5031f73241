import { useQuery } from '@tanstack/react-query';
import { type InputEvent, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Facts } from '../components/description-list.tsx';
import { TextInput } from '../components/field.tsx';
import form from '../components/form.module.css';
import { Failure, Form } from '../components/form.tsx';
import { SwitchGroup } from '../components/segmented-control.tsx';
import { Text } from '../components/text.tsx';
import { fieldText, useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { programText, trafficKindText } from '../i18n/labels.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { scopeText } from '../i18n/scope-text.ts';
import { readUserCode } from '../lib/parse-code.ts';
import { decideDevice, type WaitingDevice, waitingDeviceQuery } from './device-code.ts';
import classes from './devices.module.css';

type Decided = 'allow' | 'deny';

interface Props {
  /** From the device's QR code. */
  readonly givenCode: string;
  /** The last one that asked was denied. */
  readonly isDenied: boolean;
  /** Called with what is asked about, and without when it was decided. */
  readonly onCode: (code: string | undefined) => void;
  readonly onDecided: (decision: Decided) => void;
}

/**
 * A device's code, then who asks for what; allow or deny. A code that came with the QR code is
 * looked up at once.
 */
export function ApproveDevice({ givenCode, isDenied, onCode, onDecided }: Props) {
  const { t } = useTranslation('devices');
  const textOf = useProblemText();
  const [code, setCode] = useState(() => readUserCode(givenCode));
  const [isInvalid, setInvalid] = useState(false);
  const waiting = useQuery(waitingDeviceQuery(code));
  const find = (target: HTMLFormElement): void => {
    const typed = readUserCode(fieldText(target, 'user_code'));
    setInvalid(typed === undefined);
    // Without a code there is nothing to ask again.
    if (typed !== undefined && typed === code) void waiting.refetch();
    else setCode(typed);
    onCode(typed);
  };
  const decide = (decision: Decided): void => {
    if (decision === 'deny') setCode(undefined);
    onCode(undefined);
    onDecided(decision);
  };
  /** The last letter is the last: no button needs to be pressed. */
  const findWhenWhole = (event: InputEvent<HTMLInputElement>): void => {
    const { inputType } = event.nativeEvent as globalThis.InputEvent;
    if (inputType?.startsWith('insert') && readUserCode(event.currentTarget.value) !== undefined)
      event.currentTarget.form?.requestSubmit();
  };
  if (waiting.data) return <Decision waiting={waiting.data} onDecided={decide} />;
  const message = waiting.error && !waiting.isFetching ? textOf(waiting.error) : '';
  return (
    <Form
      submission={{ isPending: waiting.isFetching, message }}
      submitLabel={t('continue')}
      onSubmit={find}
    >
      <Text role="status" isSmall>
        {isDenied && t('denied')}
      </Text>
      <TextInput
        name="user_code"
        label={t('deviceCode')}
        placeholder="ABCD-EFGH"
        defaultValue={isDenied ? '' : givenCode}
        className={classes.code}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onInput={findWhenWhole}
        error={isInvalid ? t('codeInvalid') : undefined}
      />
    </Form>
  );
}

/** Stands for the code while the sentence is put together: an object in a text (U+FFFC). */
const CODE = '\uFFFC';

/** A sentence with a code that is compared with the one on the device: it has a line of its own. */
function ComparedCode({ text, code }: { readonly text: string; readonly code: string }) {
  const [before, after] = text.split(CODE);
  return (
    <>
      {before}
      <code className={classes.compared}>{code.replace('-', '\u2011')}</code>
      {after}
    </>
  );
}

interface DecisionProps {
  readonly waiting: WaitingDevice;
  readonly onDecided: (decision: Decided) => void;
}

function Decision({ waiting, onDecided }: DecisionProps) {
  const { t } = useTranslation('devices');
  const { t: tSignIn } = useTranslation('signIn');
  const submission = useSubmission();
  const [categories, setCategories] = useState<readonly string[]>(waiting.categories);
  const heading = useRef<HTMLHeadingElement>(null);
  // The field of the code is gone: the question takes its place for a screen reader, too.
  useLayoutEffect(() => heading.current?.focus(), []);
  const decide = (decision: Decided): void =>
    submission.submit(async () => {
      await decideDevice(waiting.user_code, decision, decision === 'allow' ? categories : []);
      onDecided(decision);
    });
  return (
    <div className={form.form}>
      <h3 ref={heading} tabIndex={-1} className={classes.asks}>
        <ComparedCode
          text={t('asks', { client: waiting.client_name, code: CODE })}
          code={waiting.user_code}
        />
      </h3>
      <ul className={classes.scopes}>
        {waiting.scopes.map(({ name, description }) => (
          <li key={name}>{scopeText(tSignIn, name, description)}</li>
        ))}
      </ul>
      {waiting.categories.length > 0 && (
        <SwitchGroup
          legend={t('categories')}
          options={waiting.categories}
          labelOf={(kind) => trafficKindText(t, kind)}
          chosen={categories}
          onChange={setCategories}
        />
      )}
      <Facts
        facts={[
          [t('askedFrom'), waiting.device_ip],
          [t('client'), programText(t, waiting.device_user_agent ?? '')],
        ]}
      />
      <Text isSmall isDimmed>
        {t('onlyYours')}
      </Text>
      <Failure>{submission.message}</Failure>
      <div className={form.two}>
        <Button variant="default" disabled={submission.isPending} onClick={() => decide('deny')}>
          {t('signIn:consent.deny')}
        </Button>
        <Button isBusy={submission.isPending} onClick={() => decide('allow')}>
          {t('signIn:consent.allow')}
        </Button>
      </div>
    </div>
  );
}
