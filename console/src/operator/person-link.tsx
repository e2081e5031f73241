import { Link } from '@tanstack/react-router';
import { useReads } from './allows.tsx';
import table from './dense-table.module.css';

/** A link to the page of a person, for who may see it. */
export function PersonLink({ id, children }: { readonly id: string; readonly children: string }) {
  if (!useReads()('operator:users')) return children;
  return (
    <Link to="/operator" search={{ view: 'users', person: id }} className={table.link}>
      {children}
    </Link>
  );
}
