/** The operations of the OpenAPI document, and the examples that each must have. */
import type { Schema } from './close-schema.ts';

export interface Media {
  readonly schema?: Schema;
  example?: unknown;
}

type Content = Readonly<Record<string, Media>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  example?: unknown;
}

interface Answer {
  readonly content?: Content;
  headers?: { readonly Location?: { readonly example?: unknown } };
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** Kinds of tokens, where not all are taken. */
  readonly 'x-token-kinds'?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface DescribedOperation extends Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export function readOperations({ paths }: { readonly paths: Paths }): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase() as DescribedOperation['method'],
      path,
    })),
  );
}

/** The codes of an operation's problems: its responses are named by them. */
export function codesOf({ responses }: DescribedOperation): string[] {
  return Object.values(responses as Record<string, { readonly $ref?: string }>).flatMap(
    ({ $ref = '' }) => {
      const name = $ref.split('/').at(-1) ?? '';
      return name.startsWith('oauth-') ? [] : name.split('.').filter(Boolean);
    },
  );
}

/** Statuses of success: an upgrade, an answer, a redirect. */
const answersOf = ({ responses }: Operation): [status: string, answer: Answer][] =>
  Object.entries(responses).filter(([status]) => /^[123]/.test(status));

/** Binary data is shown by its media type. */
const IS_SHOWN = /^text\/|json$|form-urlencoded$/;

/** Bodies and successful answers of every media type that an example can show. */
export function listMedia(
  operation: Operation,
): { readonly name: string; readonly media: Media }[] {
  const named = (prefix: string, content: Content = {}) =>
    Object.entries(content)
      .filter(([type]) => IS_SHOWN.test(type))
      .map(([type, media]) => ({ name: `${prefix} ${type}`, media }));
  return [
    ...named('body', operation.requestBody?.content),
    ...answersOf(operation).flatMap(([status, { content }]) => named(status, content)),
  ];
}

/**
 * What has no example and must have one: parameters of the path, required ones of the query, every
 * body, every successful answer with a body, and the address of every redirect. An answer without a
 * body is described by its status.
 */
export function findLackingExamples(operation: Operation): string[] {
  const parameters = (operation.parameters ?? [])
    .filter((each) => each.in === 'path' || (each.in === 'query' && each.required === true))
    .filter(({ example }) => example === undefined)
    .map((each) => `${each.in} ${each.name}`);
  const media = listMedia(operation)
    .filter(({ media: { example } }) => example === undefined)
    .map(({ name }) => name);
  const redirects = answersOf(operation)
    .filter(
      ([status, { headers }]) =>
        status.startsWith('3') && status !== '304' && !headers?.Location?.example,
    )
    .map(([status]) => `${status} Location`);
  return [...parameters, ...media, ...redirects].map((lack) => `${operation.operationId}: ${lack}`);
}
