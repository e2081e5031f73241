/**
 * Turns the OpenAPI document into types. It lives here because it needs the compiler's API, which
 * TypeScript 7 lacks.
 */
import openapiTs, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

const HEADER = '/** Generated from the OpenAPI document by `npm run sdk`; do not edit. */\n';

/** Examples would make the types many times longer; `/docs` shows them. */
const withoutExamples = (document: OpenAPI3): OpenAPI3 =>
  JSON.parse(JSON.stringify(document, (key, value) => (key === 'example' ? undefined : value)));

/** The types as TypeScript. Decimals are strings, because the client asks for them so. */
export async function renderTypes(document: OpenAPI3): Promise<string> {
  const nodes = await openapiTs(withoutExamples(document), {
    transform: (schema) =>
      schema.format === 'decimal'
        ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword)
        : undefined,
  });
  return HEADER + astToString(nodes);
}
