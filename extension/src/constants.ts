const { homepage_url, version } = chrome.runtime.getManifest();

/** The service that this extension belongs to: the one that its manifest names. */
export const SERVICE_URL = homepage_url ?? '';
export const VERSION = version;
/**
 * Redirect address of a sign-in: on this machine, where nothing listens. The extension sees that a
 * tab goes there, and sends nothing there itself.
 */
export const CALLBACK_URL = 'http://127.0.0.1/edge-extension';
