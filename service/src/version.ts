/**
 * The version of the service: one number for the package and `info.version` of the OpenAPI document
 * (semver).
 */
import packageJson from '../package.json' with { type: 'json' };

export const VERSION: string = packageJson.version;
