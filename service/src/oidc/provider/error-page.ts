/** What a browser shows where an error cannot be sent to the client: no script, no style, everything escaped. */
import type { KoaContextWithOIDC } from 'oidc-provider';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}

export function errorPage(error: string, description: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign-in stopped</title></head>
<body><main><h1>Sign-in stopped</h1><p>${escapeHtml(description)}</p><p><code>${escapeHtml(error)}</code></p>
<p>Go back to the application and begin again.</p></main></body>
</html>
`;
}

/** The provider's hook: HTML for browsers, JSON for programs. */
export function renderError(ctx: KoaContextWithOIDC, out: { error?: string; error_description?: string }): undefined {
  if (ctx.accepts('json', 'html') === 'html') {
    ctx.type = 'html';
    ctx.body = errorPage(out.error ?? 'error', out.error_description ?? 'The request could not be served.');
  } else ctx.body = out;
}
