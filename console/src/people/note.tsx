import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { TextInput } from '../components/field.tsx';
import { useFocusFirstInvalid, VisuallyHiddenAlert } from '../components/form.tsx';
import { Icon } from '../components/icon.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { personName } from '../i18n/labels.ts';
import type { Translate } from '../i18n/translate.ts';
import { countCharacters } from '../lib/characters.ts';
import classes from './people.module.css';
import { type Member, NOTE_LENGTH_MAX, saveNote } from './queries.ts';

/**
 * Notes that are being written, by person: a row that is scrolled away and comes back still has
 * what was typed.
 */
export interface Drafts {
  of(userId: number): string | undefined;
  /** Without a text, the note is no longer being written. */
  set(userId: number, text?: string): void;
  /** Is no longer being written, unless the text is another by now. */
  leave(userId: number, text: string): void;
}

export function useDrafts(): Drafts {
  const [drafts, setDrafts] = useState<ReadonlyMap<number, string>>(new Map());
  return {
    of: (userId) => drafts.get(userId),
    set: (userId, text) =>
      setDrafts((before) => {
        const others = [...before].filter(([id]) => id !== userId);
        return new Map(text === undefined ? others : [...others, [userId, text]]);
      }),
    leave: (userId, text) =>
      setDrafts(
        (before) => new Map([...before].filter(([id, draft]) => id !== userId || draft !== text)),
      ),
  };
}

export function memberName(
  t: Translate<'people'>,
  { nickname, is_closed: isClosed }: Member,
): string {
  return personName(t, { nickname, isClosed });
}

/** Names the member, because each row has such a button. */
function noteName(t: Translate<'people'>, member: Member): string {
  const { note } = member;
  const name = memberName(t, member);
  return note === ''
    ? t('addNoteOn', { name })
    : t('common:labelled', { name: t('noteOn', { name }), value: note });
}

/** The note on a person, edited where it stands. */
export function Note({ member, drafts }: { readonly member: Member; readonly drafts: Drafts }) {
  const { t } = useTranslation('people');
  const client = useQueryClient();
  const submission = useSubmission();
  const { ref, begin, announcement } = useFocusFirstInvalid(submission.isPending);
  const [isOpened, setOpened] = useState(false);
  const { user_id: userId } = member;
  const draft = drafts.of(userId);
  if (member.level !== 1) return null;
  const open = (): void => {
    setOpened(true);
    drafts.set(userId, member.note);
  };
  if (draft === undefined)
    return (
      <button
        type="button"
        className={classes.note}
        onClick={open}
        aria-label={noteName(t, member)}
      >
        <Icon name="pencil" size={15} />
        {member.note === '' ? t('addNote') : member.note}
      </button>
    );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    begin();
    const note = draft.trim();
    if (countCharacters(note) > NOTE_LENGTH_MAX) {
      submission.setMessage(t('noteTooLong', { count: NOTE_LENGTH_MAX }));
      return;
    }
    submission.submit(async () => {
      await saveNote(userId, note);
      await client.invalidateQueries({ queryKey: ['people'] });
      // What was typed on meanwhile is still to be saved.
      drafts.leave(userId, draft);
    });
  };
  return (
    <form ref={ref} noValidate onSubmit={submit} className={classes.noteForm}>
      <TextInput
        size="xs"
        className={classes.noteField}
        aria-label={t('noteOn', { name: member.nickname })}
        value={draft}
        onChange={(event) => drafts.set(userId, event.currentTarget.value)}
        // One that is scrolled back into sight must not take the focus.
        autoFocus={isOpened}
        autoComplete="off"
        error={submission.message || undefined}
        onKeyDown={(event) => event.key === 'Escape' && drafts.set(userId)}
      />
      <Button type="submit" size="xs" variant="default" isBusy={submission.isPending}>
        {t('save')}
      </Button>
      <VisuallyHiddenAlert>{announcement}</VisuallyHiddenAlert>
    </form>
  );
}
