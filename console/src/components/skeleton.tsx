import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import classes from './skeleton.module.css';

interface SkeletonProps {
  readonly height: number;
  readonly width?: number | string;
  readonly isCircle?: boolean;
}

/** The place of something that is coming. */
export function Skeleton({ height, width = '100%', isCircle = false }: SkeletonProps) {
  return (
    <div
      className={isCircle ? `${classes.skeleton} ${classes.circle}` : classes.skeleton}
      style={{ height, width }}
    />
  );
}

/** A placeholder of the size of its children, which are hidden and inert. */
export function SkeletonOver({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('common');
  return (
    <div className={`${classes.skeleton} ${classes.over}`} role="status" aria-label={t('loading')}>
      <div inert>{children}</div>
    </div>
  );
}
