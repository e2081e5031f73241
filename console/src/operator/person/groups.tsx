/** Groups of a person, which applications see, with the way to change them. */
import { Textarea } from '../../components/field.tsx';
import { FormSheet } from '../../components/sheet.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import classes from './person.module.css';
import { type Person, setGroups } from './queries.ts';

interface Props {
  readonly person: Person;
}

/** Names have neither spaces nor commas. */
const readNames = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

export function GroupsSheet({ person, onClose }: Props & { readonly onClose: () => void }) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const save = (form: HTMLFormElement): void =>
    operation.run(() => setGroups(person.user_id, readNames(fieldText(form, 'groups'))), onClose);
  return (
    <FormSheet
      title={t('person.groupsOf', { name: person.nickname })}
      onClose={onClose}
      submission={operation}
      submitLabel={t('person.saveGroups')}
      onSubmit={save}
    >
      <Textarea
        name="groups"
        label={t('person.groups')}
        description={t('person.groupsLead')}
        rows={5}
        spellCheck={false}
        defaultValue={person.groups.join('\n')}
      />
    </FormSheet>
  );
}

export function Groups({ person, onChange }: Props & { readonly onChange: () => void }) {
  const { t } = useTranslation('operator');
  return (
    <span className={classes.changed}>
      {person.groups.length === 0 ? t('person.noGroups') : person.groups.join(t('devices:comma'))}
      {person.status !== 'closed' && (
        <ChangeButton scope="operator:users" variant="default" size="xs" onClick={onChange}>
          {t('person.changeGroups')}
        </ChangeButton>
      )}
    </span>
  );
}
