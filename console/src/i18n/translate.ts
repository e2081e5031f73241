/** Finds texts: by namespace and path, in the plural that a count needs, with values in place. */
import type { Texts } from './texts.ts';

export type Namespace = keyof Texts & string;

/** A text's name without the ending of its plural form. */
type Stem<Key extends string> = Key extends `${infer Name}_one` | `${infer Name}_other`
  ? Name
  : Key;
type PathOf<Branch> = {
  [Key in keyof Branch & string]: Branch[Key] extends string
    ? Stem<Key>
    : `${Key}.${PathOf<Branch[Key]>}`;
}[keyof Branch & string];
type Elsewhere = { [Name in Namespace]: `${Name}:${PathOf<Texts[Name]>}` }[Namespace];

/** The path of a text in a namespace, or `namespace:path` of a text elsewhere. */
export type TextKey<Name extends Namespace> = PathOf<Texts[Name]> | Elsewhere;

/** What stands for `{{name}}` in a text; `count` chooses the plural too. */
export type Values = Readonly<Record<string, string | number>>;

export interface Translate<Name extends Namespace = Namespace> {
  (key: TextKey<Name>, values?: Values): string;
  /** For names that the service gives, of which we may have no text. */
  find(namespace: Namespace, path: string, values?: Values): string | undefined;
}

type Branch = { readonly [key: string]: string | Branch };
export type Catalogue = Readonly<Record<string, object>>;

function walk(catalogue: Catalogue, namespace: string, path: string): string | undefined {
  let found: unknown = catalogue[namespace];
  for (const part of path.split('.'))
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, part)
        ? (found as Branch)[part]
        : undefined;
  return typeof found === 'string' ? found : undefined;
}

/**
 * How a language counts. Asked for by the first text with a count only: what the platform needs for
 * it takes a while to begin.
 */
interface Formatters {
  readonly plurals: Intl.PluralRules;
  readonly figures: Intl.NumberFormat;
}

const formatters = new Map<string, Formatters>();

function getFormatters(language: string): Formatters {
  const known = formatters.get(language);
  if (known) return known;
  const created = {
    plurals: new Intl.PluralRules(language),
    figures: new Intl.NumberFormat(language),
  };
  formatters.set(language, created);
  return created;
}

function fillIn(text: string, values: Values, language: string): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name];
    return name === 'count' && typeof value === 'number'
      ? getFormatters(language).figures.format(value)
      : String(value ?? whole);
  });
}

/** Gives the function that finds texts of one language, beginning in `namespace`. */
export function createTranslate<Name extends Namespace>(
  catalogue: Catalogue,
  language: string,
  namespace: Name,
): Translate<Name> {
  const find = (name: string, path: string, values: Values = {}): string | undefined => {
    const plural =
      typeof values.count === 'number'
        ? walk(catalogue, name, `${path}_${getFormatters(language).plurals.select(values.count)}`)
        : undefined;
    const text =
      plural ??
      walk(catalogue, name, path) ??
      (values.count === undefined ? undefined : walk(catalogue, name, `${path}_other`));
    return text === undefined ? undefined : fillIn(text, values, language);
  };
  const translate = (key: TextKey<Name>, values?: Values): string => {
    const [name, path] = key.includes(':')
      ? (key.split(':', 2) as [string, string])
      : [namespace, key];
    return find(name, path, values) ?? key;
  };
  return Object.assign(translate, { find });
}
