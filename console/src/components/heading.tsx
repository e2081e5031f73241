import { type ComponentProps, useEffect, useLayoutEffect, useRef } from 'react';
import { useBrand } from '../theme/brand.ts';

interface HeadingProps extends Omit<ComponentProps<'h1'>, 'children' | 'title'> {
  readonly children: string;
  /** Names the page in the window's title, where the heading itself does not. */
  readonly page?: string;
}

/** The first heading comes with the document, which the browser itself announces. */
let hasBegun = false;

/** A focused field keeps the focus: screen readers announce it with its form. */
function isFieldFocused(): boolean {
  return document.activeElement?.matches('input, select, textarea') === true;
}

/**
 * The heading of a page or a step: it names the window, and takes the focus when it comes, so that
 * a screen reader announces it.
 */
export function Heading({ children, page = children, ...heading }: HeadingProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  const product = useBrand().name;
  useEffect(() => {
    document.title = page === product ? product : `${page} · ${product}`;
  }, [page, product]);
  // With the page, before anything else looks for who has the focus.
  useLayoutEffect(() => {
    if (hasBegun && !isFieldFocused()) ref.current?.focus({ preventScroll: true });
    hasBegun = true;
  }, []);
  return (
    <h1 {...heading} ref={ref} tabIndex={-1}>
      {children}
    </h1>
  );
}
