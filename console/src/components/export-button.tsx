import { useState } from 'react';
import { useProblemText } from '../i18n/problem-text.ts';
import { Button } from './button.tsx';
import { saveTable } from './file.ts';
import { showToast } from './toaster.tsx';

interface ExportButtonProps {
  readonly label: string;
  /** The table, with the name of its file. */
  readonly fetchTable: () => Promise<Response>;
  readonly fileName: string;
  /** Headers of the answer. */
  readonly onTable?: (response: Response) => void;
}

/** Saves a table as a file: once at a time, however long it takes to come. */
export function ExportButton({ label, fetchTable, fileName, onTable }: ExportButtonProps) {
  const textOf = useProblemText();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const response = await fetchTable();
      onTable?.(response);
      await saveTable(response, fileName);
    } catch (error) {
      showToast(textOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="default" size="sm" icon="download" isBusy={isBusy} onClick={() => void save()}>
      {label}
    </Button>
  );
}
