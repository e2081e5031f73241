/** Notes of operators about a person. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DateTime } from '../../components/date-time.tsx';
import { Textarea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { Allowed } from '../allows.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import classes from './person.module.css';
import { addNote, notesQuery } from './queries.ts';

const NOTE_MAX = 2000;

function NoteForm({ userId, onDone }: { readonly userId: number; readonly onDone: () => void }) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [text, setText] = useState('');
  const keyOf = useRequestKeys();
  const submit = (): void => {
    if (text.trim() === '') operation.refuse({ text: t('person.noteNeeded') });
    else operation.run(() => addNote(userId, text.trim(), keyOf(text.trim())), onDone);
  };
  return (
    <Form submission={operation} submitLabel={t('person.saveNote')} onSubmit={submit}>
      <Textarea
        name="text"
        label={t('person.note')}
        rows={3}
        maxLength={NOTE_MAX}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </Form>
  );
}

export function NotesSection({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const notes = useInfiniteQuery(notesQuery(userId));
  const [written, setWritten] = useState(0);
  return (
    <Section title={t('person.notes')} lead={t('person.notesLead')}>
      <Allowed scope="operator:users">
        <NoteForm key={written} userId={userId} onDone={() => setWritten(written + 1)} />
      </Allowed>
      <QueryBoundary query={notes} skeleton={<SkeletonLines count={1} />}>
        {({ pages }) => (
          <>
            <ul className={classes.notes}>
              {pages
                .flatMap(({ records }) => records)
                .map((note) => (
                  <li key={note.id}>
                    <p>{note.text}</p>
                    <span className={classes.small}>
                      {note.author?.nickname ?? note.client_id} ·{' '}
                      <DateTime iso={note.created_at} isShort />
                    </span>
                  </li>
                ))}
            </ul>
            {notes.hasNextPage && <MoreButton query={notes} label={t('payouts.more')} />}
          </>
        )}
      </QueryBoundary>
    </Section>
  );
}
