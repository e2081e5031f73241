import classes from './skeleton.module.css';

interface SkeletonProps {
  readonly height: number;
  readonly width?: number | string;
  readonly isCircle?: boolean;
}

/** The place of something that is coming. */
export function Skeleton({ height, width = '100%', isCircle = false }: SkeletonProps) {
  return <div className={isCircle ? `${classes.skeleton} ${classes.circle}` : classes.skeleton} style={{ height, width }} />;
}
