/** What an operator does to an account, each with a reason that the security log keeps. */

import { useState } from 'react';
import { useMe } from '../../api/me.ts';
import { Email } from '../../components/email.tsx';
import { TextInput } from '../../components/field.tsx';
import { Confirm } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import { RewardSheet } from '../money/reward-sheet.tsx';
import frame from '../operator.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import classes from './person.module.css';
import { type Action, act, type Person } from './queries.ts';

const TEXTS = {
  disable: 'users.disable',
  enable: 'users.enable',
  'end-sessions': 'person.endSessions',
  'reset-second-factors': 'person.resetFactors',
  'freeze-money': 'person.freezeMoney',
  'release-money': 'person.releaseMoney',
} as const satisfies Record<Action, string>;

/** Gives back what another action took. */
const MILD: ReadonlySet<Action> = new Set(['enable', 'release-money']);

interface ConfirmProps {
  readonly person: Pick<Person, 'user_id' | 'nickname' | 'email'>;
  readonly action: Action;
  readonly onClose: () => void;
}

export function ConfirmAction({ person, action, onClose }: ConfirmProps) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [reason, setReason] = useState('');
  const text = TEXTS[action];
  const run = (): void => {
    if (reason.trim() === '') operation.refuse({ reason: t('users.reasonNeeded') });
    else operation.run(() => act(person.user_id, action, reason.trim()), onClose);
  };
  return (
    <Confirm
      title={t(`${text}Title`, { name: person.nickname })}
      onClose={onClose}
      confirmLabel={t(text)}
      isDanger={!MILD.has(action)}
      outcome={operation}
      onConfirm={run}
    >
      <p className={frame.address}>
        <Email address={person.email} />
      </p>
      <p>{t(`${text}Lead`)}</p>
      <TextInput
        name="reason"
        label={t('users.reason')}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirm>
  );
}

export function PersonActions({ person }: { readonly person: Person }) {
  const { t } = useTranslation('operator');
  const [chosen, setChosen] = useState<Action>();
  const [isPaying, setPaying] = useState(false);
  const isMe = person.user_id === useMe().data?.user_id;
  if (person.status === 'closed' || isMe) return null;
  const ofMoney: Action =
    person.money_frozen_since === undefined ? 'freeze-money' : 'release-money';
  const actions: readonly Action[] =
    person.status === 'active'
      ? ['end-sessions', 'reset-second-factors', ofMoney, 'disable']
      : [ofMoney, 'enable'];
  return (
    <div className={classes.actions}>
      {actions.map((action) => (
        <ChangeButton
          scope="operator:users"
          key={action}
          variant="default"
          size="sm"
          onClick={() => setChosen(action)}
        >
          {t(TEXTS[action])}
        </ChangeButton>
      ))}
      <ChangeButton
        scope="operator:rewards"
        variant="default"
        size="sm"
        onClick={() => setPaying(true)}
      >
        {t('money.payReward')}
      </ChangeButton>
      {isPaying && <RewardSheet userId={person.user_id} onClose={() => setPaying(false)} />}
      {chosen && (
        <ConfirmAction person={person} action={chosen} onClose={() => setChosen(undefined)} />
      )}
    </div>
  );
}
