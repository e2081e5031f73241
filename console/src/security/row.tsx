import { Icon, type IconName } from '../components/icon.tsx';
import classes from './security.module.css';

interface RowProps {
  readonly icon: IconName;
  /** Address of a picture in place of the icon. */
  readonly picture?: string | undefined;
  readonly title: string;
  readonly lead: React.ReactNode;
  readonly action: React.ReactNode;
}

export function Row({ icon, picture, title, lead, action }: RowProps) {
  return (
    <li className={classes.row}>
      {picture === undefined ? (
        <span className={classes.rowIcon}>
          <Icon name={icon} />
        </span>
      ) : (
        <img className={classes.rowPicture} src={picture} alt="" width={40} height={40} />
      )}
      <span className={classes.rowText}>
        <span className={classes.rowTitle}>{title}</span>
        <span className={classes.small}>{lead}</span>
      </span>
      {action}
    </li>
  );
}
