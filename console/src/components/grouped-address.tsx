import classes from './grouped-address.module.css';

const GROUP = /^0x|.{1,4}/g;

/**
 * A whole address or key in groups of four, so that it can be compared sign by sign. Copied, it has
 * no spaces.
 */
export function GroupedAddress({ address }: { readonly address: string }) {
  const starts = [...address.matchAll(GROUP)];
  return (
    <code className={classes.address}>
      {starts.map(({ 0: group, index }) => (
        <span key={index}>{group}</span>
      ))}
    </code>
  );
}
