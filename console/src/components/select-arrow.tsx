import { Icon } from './icon.tsx';
import classes from './select-arrow.module.css';

/** The arrow of a select without the browser's own, in a box that is positioned. */
export function SelectArrow() {
  return (
    <span className={classes.arrow}>
      <Icon name="chevron" size={16} />
    </span>
  );
}
