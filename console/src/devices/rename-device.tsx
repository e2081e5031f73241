import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { TextInput } from '../components/field.tsx';
import { useFocusFirstInvalid, VisuallyHiddenAlert } from '../components/form.tsx';
import { Text } from '../components/text.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { deviceName, isUnnamed } from '../i18n/labels.ts';
import classes from './devices.module.css';
import { type Device, devicesQuery, renameDevice } from './queries.ts';

/** In code points, as the service counts them. */
const NAME_MAX = 64;

/** A name of the owner's; without one the device has that of its program and system. */
export function RenameDevice({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices');
  const client = useQueryClient();
  const submission = useSubmission();
  const { ref, announcement, begin } = useFocusFirstInvalid(submission.isPending);
  const [typed, setTyped] = useState<string>();
  const [status, setStatus] = useState('');
  // A name that the service gave is in its language: the reader's stands where one can be typed.
  const ownName = isUnnamed(device) ? '' : device.name;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    begin();
    setStatus('');
    const wanted = (typed ?? ownName).trim();
    // Not cut by the field: it would cut a character of several signs in two.
    if ([...wanted].length > NAME_MAX) {
      submission.setMessage(t('nameTooLong'));
      return;
    }
    submission.submit(async () => {
      const { name } = await renameDevice(device.node_id, wanted);
      await client.invalidateQueries({ queryKey: devicesQuery.queryKey });
      // What was typed on meanwhile is still to be saved.
      setTyped((now) => ((now ?? ownName).trim() === wanted ? undefined : now));
      const isTaken = wanted === '' && ownName !== '';
      setStatus(t(isTaken ? 'nameTaken' : 'renamed', { name: deviceName(t, { ...device, name }) }));
    });
  };
  return (
    <>
      <form ref={ref} noValidate onSubmit={submit} className={classes.rename}>
        <TextInput
          label={t('name')}
          value={typed ?? ownName}
          placeholder={deviceName(t, device)}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          error={submission.message || undefined}
        />
        <Button type="submit" variant="default" isBusy={submission.isPending}>
          {t('save')}
        </Button>
      </form>
      <VisuallyHiddenAlert>{announcement}</VisuallyHiddenAlert>
      <Text role="status" isSmall>
        {status}
      </Text>
    </>
  );
}
