/** What changed between two versions, value by value. */
import { useTranslation } from '../../i18n/index.ts';
import classes from './differences.module.css';
import { listDifferences, SECRET, type Values } from './list-differences.ts';

interface ValueProps {
  readonly label: string;
  readonly text: string | undefined;
  readonly isGone?: boolean;
}

/** A value in the cell below its heading; on a phone the heading stands in the cell. */
function Value({ label, text, isGone = false }: ValueProps) {
  const { t } = useTranslation('operator');
  const Mark = isGone ? 'del' : 'ins';
  return (
    <td data-label={t('common:labelled', { name: label, value: '' })}>
      {text === undefined || text === SECRET ? (
        <span className={classes.none}>{t(text === SECRET ? 'audit.secret' : 'audit.absent')}</span>
      ) : (
        <Mark>{text === '' ? '“”' : text}</Mark>
      )}
    </td>
  );
}

interface Props {
  readonly before: Values | undefined;
  readonly after: Values | undefined;
  /** Instead of a table without rows. */
  readonly none: string;
  /** What a value is called; its path where there are no words for it. */
  readonly nameOf?: (path: string) => string | undefined;
}

export function DifferenceTable({ before, after, none, nameOf }: Props) {
  const { t } = useTranslation('operator');
  const differences = listDifferences(before, after);
  if (differences.length === 0) return <p className={classes.note}>{none}</p>;
  return (
    <table className={classes.differences}>
      <thead>
        <tr>
          <th scope="col">{t('audit.field')}</th>
          <th scope="col">{t('audit.before')}</th>
          <th scope="col">{t('audit.after')}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ path, before: was, after: became }) => (
          <tr key={path}>
            <th scope="row">{nameOf?.(path) ?? <code>{path}</code>}</th>
            <Value label={t('audit.before')} text={was} isGone />
            <Value label={t('audit.after')} text={became} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
