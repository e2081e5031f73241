/**
 * How every page is built: a head, sections on quiet surfaces, and what stands in for missing
 * content.
 */

import { type ReactNode, useId } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { Button } from './button.tsx';
import { Heading } from './heading.tsx';
import { Icon, type IconName } from './icon.tsx';
import classes from './layout.module.css';
import { Skeleton } from './skeleton.tsx';
import { Text } from './text.tsx';

interface PageProps {
  readonly title: string;
  /** A link to the page that it belongs to. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
  /**
   * What stands above other sections is not known yet: they come all at once, so that nothing moves
   * under the reader's eyes.
   */
  readonly isLoading?: boolean;
  /** Where there is room, two sections stand side by side. */
  readonly isPaired?: boolean;
  readonly children: ReactNode;
}

export function Page({
  title,
  back,
  actions,
  isLoading = false,
  isPaired = false,
  children,
}: PageProps) {
  return (
    <>
      {back}
      <div className={classes.head}>
        <Heading>{title}</Heading>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {isLoading && <SkeletonLines count={3} height={180} />}
      <div
        className={isPaired ? `${classes.sections} ${classes.paired}` : classes.sections}
        hidden={isLoading}
      >
        {children}
      </div>
    </>
  );
}

interface SectionProps {
  readonly title?: string;
  readonly lead?: string;
  /** What the section adds up to, below its title. */
  readonly figure?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Without the surface, for content that brings its own. */
  readonly isBare?: boolean;
  /** Alone in its row, where others stand in pairs. */
  readonly isWide?: boolean;
}

export function Section({
  title,
  lead,
  figure,
  actions,
  children,
  isBare = false,
  isWide = false,
}: SectionProps) {
  const id = useId();
  const names = [isBare ? classes.bare : classes.section, isWide && classes.wide];
  return (
    <section
      className={names.filter(Boolean).join(' ')}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {(title !== undefined || actions !== undefined) && (
        <div className={classes.sectionHead}>
          {title !== undefined && (
            <div>
              <h2 id={id}>{title}</h2>
              {figure}
            </div>
          )}
          {actions !== undefined && <div className={classes.actions}>{actions}</div>}
        </div>
      )}
      {lead !== undefined && (
        <Text isSmall isDimmed className={classes.sectionLead}>
          {lead}
        </Text>
      )}
      {children}
    </section>
  );
}

/** Sections below each other in one of two columns: a longer one beside them leaves no hole. */
export function Column({ children }: { readonly children: ReactNode }) {
  return <div className={classes.column}>{children}</div>;
}

interface EmptyProps {
  readonly icon: IconName;
  /** None where the head of the page says it. */
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Nothing here yet, and what to do about it. */
export function EmptyState({ icon, title, children, action }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.emptyIcon}>
        <Icon name={icon} size={26} />
      </span>
      {title !== undefined && <Text isStrong>{title}</Text>}
      {children !== undefined && (
        <Text isSmall isDimmed className={classes.emptyText}>
          {children}
        </Text>
      )}
      {action}
    </div>
  );
}

/** What failed, in words, and another try. */
export function Failed({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  const { t } = useTranslation('common');
  const textOf = useProblemText();
  return (
    <div className={classes.failed} role="alert">
      <Text>{textOf(error)}</Text>
      <Button variant="default" size="sm" onClick={onRetry}>
        {t('tryAgain')}
      </Button>
    </div>
  );
}

/** Lines in the shape of what is coming. */
export function SkeletonLines({
  count,
  height = 44,
}: {
  readonly count: number;
  readonly height?: number;
}) {
  const { t } = useTranslation('common');
  return (
    <div className={classes.skeletons} role="status" aria-label={t('loading')}>
      {Array.from({ length: count }, (_, index) => `line-${index}`).map((key) => (
        <Skeleton key={key} height={height} />
      ))}
    </div>
  );
}

export interface QueryLike<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

/**
 * True until a query has been answered for the first time, whether well or not: another try does
 * not take the page away.
 */
export function isPending({
  isLoading,
  isFetched,
}: {
  readonly isLoading: boolean;
  readonly isFetched: boolean;
}): boolean {
  return isLoading && !isFetched;
}

/** Two queries that are of use only together. */
export function combineQueries<One, Other>(
  one: QueryLike<One>,
  other: QueryLike<Other>,
): QueryLike<readonly [One, Other]> {
  return {
    data: one.data === undefined || other.data === undefined ? undefined : [one.data, other.data],
    error: one.error ?? other.error,
    refetch: () =>
      Promise.all(
        [one, other].filter(({ data }) => data === undefined).map((query) => query.refetch()),
      ),
  };
}

/** Shows a query's data, its skeleton, or its failure. */
export function QueryBoundary<T>({
  query,
  skeleton,
  children,
}: {
  readonly query: QueryLike<T>;
  readonly skeleton: ReactNode;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return skeleton;
}
