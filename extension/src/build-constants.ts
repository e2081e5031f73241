/** Constants of the build. */
declare const __SERVICE_URL__: string;
declare const __CALLBACK_URL__: string;
declare const __VERSION__: string;

/** The service that this extension belongs to. */
export const SERVICE_URL = __SERVICE_URL__;
/** Redirect address of a sign-in. */
export const CALLBACK_URL = __CALLBACK_URL__;
export const VERSION = __VERSION__;
