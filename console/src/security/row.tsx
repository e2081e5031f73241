import { Icon, type IconName } from '../components/icon.tsx';
import classes from './security.module.css';

interface RowProps {
  readonly icon: IconName;
  readonly title: string;
  readonly lead: React.ReactNode;
  readonly action: React.ReactNode;
}

export function Row({ icon, title, lead, action }: RowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.rowIcon}>
        <Icon name={icon} />
      </span>
      <span className={classes.rowText}>
        <span className={classes.rowTitle}>{title}</span>
        <span className={classes.small}>{lead}</span>
      </span>
      {action}
    </li>
  );
}
