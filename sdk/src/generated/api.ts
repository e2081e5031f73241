/** Generated from the OpenAPI document by `npm run sdk`; do not edit. */
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness of the instance
         * @description Answers as long as the process serves requests; it does not look at the database. For liveness probes.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness of the instance
         * @description 200 when the instance can serve. Otherwise 503, and `reason` says why: `draining`, `database_unreachable`, `database_read_only` or `feed_stale`. For load balancers.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public keys that verify tokens
         * @description Holds the next key at least 24 h before it signs, and retired ones until their last token has expired.
         */
        get: operations["listSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/logos/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The logo of an application
         * @description The image as it was fetched when the application was registered or changed. It never changes under this address.
         */
        get: operations["getLogo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The device that waits under a code
         * @description What the page that approves devices shows before the person decides: the client, what it requests, and how long the code stays valid. Each wrong code counts against the caller's limit.
         */
        get: operations["getDeviceRequest"];
        put?: never;
        /**
         * Allow or deny a device
         * @description The device, which polls the token endpoint, gets its tokens or `access_denied`.
         */
        post: operations["decideDeviceRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/authorize/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an application requests
         * @description The client, its scopes, and whether the person must sign in again, for the authorization page.
         */
        get: operations["getConsent"];
        put?: never;
        /**
         * Allow or deny an authorization request
         * @description Answers the URL to continue at, in the browser that started the request: the client gets a one-time code, or `access_denied`.
         */
        post: operations["decideConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/authorize/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a request still waits for a user
         * @description For the authorization page before a sign-in: reveals neither the client nor what it requests.
         */
        get: operations["getAuthorizationState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Connected applications
         * @description The applications that the person has allowed, with their scopes and when that was.
         */
        get: operations["listConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/connections/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an application
         * @description Deletes the consent and revokes every token that the application has for the user.
         */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prometheus metrics
         * @description Metrics of this instance in the text format of Prometheus. They name no person.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the events of the current user
         * @description Server-sent events, to be read with `fetch` and the Authorization header. Each event has an increasing `id`, its type as `event`, and `{type, timestamp, data}` as `data`. The first event is `ready`, whose `id` is where the stream begins, or `reset` if the stream cannot continue after `Last-Event-ID` (`reason`: `events_no_longer_kept` after 7 days, `unknown_event_id` if no event has that ID yet): read everything again, then continue. A token receives the events that its scopes allow. When it expires or is revoked, the stream ends with `closed` and its `reason`.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks
         * @description All webhooks, with how many of their messages wait or were given up. Secrets are not shown again.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Make a webhook
         * @description Adds an HTTPS address that receives the named types of events. The answer is the only one that holds the secret, which signs each message (Standard Webhooks).
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One webhook
         * @description The webhook without its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its messages
         * @description Its messages that are not delivered yet are deleted, too.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Members that are left out stay as they are. An inactive webhook receives what happened meanwhile once it is active again, as far as events are kept.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/operator/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret; for 24 hours both sign
         * @description Answers the new secret once. For 24 hours messages carry a signature of each of the two, so that receivers can change over.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description Queues a message that is delivered as any other, so that a receiver can be tried.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of the messages, newest first
         * @description One record for each message: its state, its attempts, and what the receiver answered last.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again
         * @description Queues one message again, whatever its state is. It keeps its `webhook-id`, by which receivers recognise repetitions.
         */
        post: operations["redeliverMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all dead letters again
         * @description Queues again every message that was given up and that was first queued at or after `since`.
         */
        post: operations["redeliverDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a registration
         * @description Mails a code to the address and answers a ticket. The answer is the same for an address that has an account already, whose owner receives a mail. The referral code is permanent once the account exists.
         */
        post: operations["startRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/register/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the address and create the account
         * @description Creates the account, its wallets and its place in the referral tree. A wrong code counts; `tries_left` tells how many remain. The ticket is then a login ticket.
         */
        post: operations["verifyRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/login-with-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a login with a password
         * @description First step of a login. It never issues a token: `login_ticket` goes to `/user/login/2fa` together with one of `two_factor_methods`. An unknown address and a wrong password get the same answer.
         */
        post: operations["startLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/login/email-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail the code of a login ticket
         * @description Mails the code again, or for the first time where another method comes first. Only the browser that started the login can ask for it.
         */
        post: operations["sendLoginCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/login/passkey-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the passkey challenge of a login ticket
         * @description Options for `navigator.credentials.get`. The result is the `passkey_credential` of `/user/login/2fa`.
         */
        post: operations["createLoginPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/login/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a login with a second factor
         * @description Second step of a login: verifies one factor and issues both tokens. A wrong code counts; `tries_left` tells how many remain before the ticket ends.
         */
        post: operations["finishLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this session, or all sessions
         * @description The tokens of the session are refused at once, on every instance. `everywhere` ends all sessions and the grants of all applications, too.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a password reset
         * @description Mails a code. The answer is the same whether or not the address has an account.
         */
        post: operations["startPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/password/reset/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the mailbox of a reset
         * @description Proves that the caller reads the mailbox. Accounts with a strong second factor need that factor in the last step, too.
         */
        post: operations["verifyPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/password/reset/passkey-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the passkey challenge of a reset
         * @description Options for `navigator.credentials.get`. The result is the `passkey_credential` of `/user/password/reset/complete`.
         */
        post: operations["createResetPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/password/reset/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the new password
         * @description Sets the password and ends all sessions. After a reset by email alone, conversion and withdrawal are frozen for a while.
         */
        post: operations["completePasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signed-in user
         * @description The person whose token is presented: address, nickname, referral code and second factors.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the nickname
         * @description Changes the nickname, which referrers and referred people see.
         */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/me/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the password again
         * @description First step of proving again who is there, which changes of the account require. Answers a ticket for `/me/reauthenticate/2fa`.
         */
        post: operations["startReauthentication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/reauthenticate/email-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail the code of a reauthentication
         * @description Mails the code of a reauthentication, where EMAIL is one of the methods.
         */
        post: operations["sendReauthenticationCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/reauthenticate/passkey-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the passkey challenge of a reauthentication
         * @description Options for `navigator.credentials.get`. The result is the `passkey_credential` of `/me/reauthenticate/2fa`.
         */
        post: operations["createReauthenticationPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/reauthenticate/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the second factor again
         * @description Verifies one factor. For some minutes this session may then change the account.
         */
        post: operations["finishReauthentication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Ends all other sessions unless the body says otherwise, and mails a notice. Needs a fresh proof (`/me/reauthenticate`).
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a change of the email address
         * @description Mails one code to the present address and one to the new one. Needs a fresh proof (`/me/reauthenticate`).
         */
        post: operations["startEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/email/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify both addresses and change
         * @description Takes the codes of both mailboxes and changes the address.
         */
        post: operations["finishEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close the account permanently
         * @description Cannot be undone. Refused while wallets hold money, unless the body gives it up. Needs a fresh proof (`/me/reauthenticate`).
         */
        post: operations["closeAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sessions of the user
         * @description Where the person is signed in: address and browser, how and when; the calling session is marked.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/sessions/{sid}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End one session
         * @description The tokens of that session are refused at once, on every instance.
         */
        post: operations["endSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/sessions/end-others": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all other sessions
         * @description All sessions but the calling one; answers how many were ended.
         */
        post: operations["endOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/security-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Security log of the account
         * @description Sign-ins and changes of the account, newest first, with address and browser.
         */
        get: operations["listSecurityEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/webauthn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Related origins of the passkeys
         * @description Read by browsers (WebAuthn 3, related origin requests).
         */
        get: operations["getRelatedOrigins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Second factors of the signed-in user
         * @description The authenticator, the passkeys, the recovery codes that are left, and whether EMAIL is on.
         */
        get: operations["listSecondFactors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/authenticator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start to enrol an authenticator
         * @description Answers a secret and its `otpauth` URI for a QR code. It counts once its first code is confirmed. Needs a fresh proof (`/me/reauthenticate`).
         */
        post: operations["startAuthenticatorEnrolment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/authenticator/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrol the authenticator with its first code
         * @description With the first strong factor recovery codes are issued, which are shown this once.
         */
        post: operations["confirmAuthenticator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/authenticator/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the authenticator
         * @description Needs a fresh proof (`/me/reauthenticate`). The body may be left out.
         */
        post: operations["removeAuthenticator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start to add a passkey
         * @description Options for `navigator.credentials.create`. Needs a fresh proof (`/me/reauthenticate`).
         */
        post: operations["createPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add the passkey
         * @description Takes the result of `navigator.credentials.create`. With the first strong factor recovery codes are issued, which are shown this once.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/passkeys/{id}/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a passkey
         * @description Needs a fresh proof (`/me/reauthenticate`). The body may be left out.
         */
        post: operations["deletePasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the recovery codes
         * @description Answers new codes once; those before are void. Needs a strong factor and a fresh proof (`/me/reauthenticate`).
         */
        post: operations["replaceRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/email-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn EMAIL on or off beside a strong factor
         * @description A person with an authenticator or a passkey may refuse codes by mail as a second factor. Needs a fresh proof (`/me/reauthenticate`).
         */
        post: operations["updateEmailFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/login/upstream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Other providers at which users can sign in
         * @description The OpenID providers that the operator has enabled, by id.
         */
        get: operations["listSignInProviders"];
        put?: never;
        /**
         * Start a sign-in at another provider
         * @description Answers the address to which the browser goes: an authorization request with PKCE, state and nonce. The provider sends the browser back to `/sign-in/upstream/{provider}` of this service.
         */
        post: operations["startUpstreamSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/login/upstream/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a sign-in at another provider
         * @description Takes the parameters with which the provider sent the browser back, from the browser that started. `next` says what follows. `second_factor`: as after a password, `/user/login/2fa`; it links the account. `signed_in`: the account is linked, and the operator accepts the second factor of the provider. `registration`: no account here belongs to it, `/user/register/upstream` begins one.
         */
        post: operations["finishUpstreamSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/register/upstream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an account for an account of another provider
         * @description Mails a code to the address. `/user/register/verify` takes it and creates the account, without a password and linked to the account of the provider.
         */
        post: operations["registerUpstream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/upstream-identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Linked accounts of other providers
         * @description The accounts with which the user can sign in, and the providers to link more.
         */
        get: operations["listUpstreamIdentities"];
        put?: never;
        /**
         * Link the account of another provider
         * @description Takes the parameters with which the provider sent the browser back, from the session that started. At most 20 accounts and wallets are linked. Answers the linked accounts. Needs a fresh proof (`/me/reauthenticate`).
         */
        post: operations["linkUpstreamIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/upstream-identities/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start to link an account of another provider
         * @description Answers the address to which the browser goes. Needs a fresh proof (`/me/reauthenticate`).
         */
        post: operations["startUpstreamLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/upstream-identities/{id}/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlink an account of another provider
         * @description The last way to sign in stays: a user without a password sets one by a reset first. Needs a fresh proof (`/me/reauthenticate`).
         */
        post: operations["unlinkUpstreamIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/login/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a sign-in by a wallet
         * @description Answers a message (EIP-4361) that the wallet signs. Nothing is stored; the challenge can be answered once, by this browser only.
         */
        post: operations["startWalletSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/login/wallet/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a sign-in by a wallet
         * @description Takes the signature of a wallet that the user has linked. It takes the place of the password: `/user/login/2fa` follows. Contract wallets sign by EIP-1271 or EIP-6492, on the chain on which they were linked, which this service must know.
         */
        post: operations["finishWalletSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/upstream-identities/wallet/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start to link a wallet
         * @description Answers a message that the wallet signs. Needs a fresh proof (`/me/reauthenticate`).
         */
        post: operations["startWalletLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/upstream-identities/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link a wallet
         * @description Takes the signature, in the session that started. The wallet then signs in, with the second factor. Answers the linked accounts. Needs a fresh proof (`/me/reauthenticate`).
         */
        post: operations["linkWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find people
         * @description By address, nickname and status, newest first.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One person
         * @description The same record as in the list, with the second factors.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{user_id}/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Assign groups to a person
         * @description Replaces the groups of the person. Applications that have the scope `groups` see them in tokens and userinfo from the next token on. Names that begin alike mean nothing in common.
         */
        put: operations["setUserGroups"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{user_id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep a person out and end all their sessions
         * @description Ends all sessions and live connections of the person, who cannot sign in until enabled. Money and history stay. Harmless when repeated.
         */
        post: operations["disableUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{user_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a disabled person in again
         * @description The person can sign in again, with the password and factors as they were. Harmless when repeated.
         */
        post: operations["enableUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * OAuth clients
         * @description All registered applications, business servers and relays, without their secrets.
         */
        get: operations["listClients"];
        put?: never;
        /**
         * Register an OAuth client
         * @description A client can get no operator's scope that the caller lacks, and one that has such a scope cannot be changed.
         */
        post: operations["createClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/clients/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One OAuth client
         * @description The client without its secret.
         */
        get: operations["getClient"];
        put?: never;
        post?: never;
        /**
         * Remove a client and revoke its tokens
         * @description Its tokens are refused at once, and the consents of people end. The service's own client cannot be removed.
         */
        delete: operations["deleteClient"];
        options?: never;
        head?: never;
        /**
         * Change an OAuth client
         * @description Disabling it, or removing scopes, revokes its tokens. Grants keep the scopes that remain, and end when the client is disabled. A client can get no operator's scope that the caller lacks, and one that has such a scope cannot be changed. The console's own client cannot be changed here.
         */
        patch: operations["updateClient"];
        trace?: never;
    };
    "/operator/clients/{client_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a client a new secret
         * @description The old one ends at once. A client can get no operator's scope that the caller lacks, and one that has such a scope cannot be changed.
         */
        post: operations["replaceClientSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/registration-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue an initial access token
         * @description Its holder registers clients at `POST /oauth2/register` (RFC 7591) until the uses or the time are up. Such clients are not first-party, and have no operator scopes.
         */
        post: operations["createRegistrationToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/resource-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * APIs that take access tokens
         * @description The resource servers of the operator with their scopes, by id.
         */
        get: operations["listResourceServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/resource-servers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set up an API that takes access tokens
         * @description Clients can then be given its scopes, and request tokens for it by `resource` (RFC 8707). Such a token has its `audience` as `aud`, `token_use` `api` (`api_client` for a client in its own name) and no scope of this service, which refuses it. The API verifies it with the keys of `/.well-known/jwks.json`, or introspects it as a first-party client.
         */
        put: operations["putResourceServer"];
        post?: never;
        /**
         * Remove an API that takes access tokens
         * @description Not while a client has one of its scopes. Disable it to stop it at once.
         */
        delete: operations["deleteResourceServer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/upstream-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * OpenID providers of others
         * @description The providers at which users can sign in, by id, without their secrets.
         */
        get: operations["listUpstreamProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/upstream-providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set up an OpenID provider of others
         * @description Users can then sign in with its accounts, and link them. The provider must know the redirect URI `/sign-in/upstream/{id}` of this service. Its metadata is read at once. Linked accounts belong to the issuer: they count again for one that is set up again.
         */
        put: operations["putUpstreamProvider"];
        post?: never;
        /**
         * Remove an OpenID provider of others
         * @description No user can sign in with it any more; its linked accounts stay. Users without a password set one by a reset.
         */
        delete: operations["deleteUpstreamProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dev/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Development mailbox
         * @description The newest 100 mails. Only without a mail server and from the same machine; else 404.
         */
        get: operations["listDevelopmentMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Currencies, their scales and networks
         * @description Each currency with its decimals, and the networks on which it can be deposited.
         */
        get: operations["listCurrencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Balances of the asset wallet
         * @description Every currency of the asset wallet, zeros included, or the one that is asked for.
         */
        get: operations["listBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bonus-account/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Balances of the reward wallet
         * @description Every currency of the reward wallet, zeros included, and by reward type what was earned.
         */
        get: operations["listRewardBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/bills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Bills of the asset wallet, newest first
         * @description Movements of money in the asset wallet. Days are in UTC.
         */
        get: operations["listBills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/bills/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export bills
         * @description The same filters, newest first, without paging; a JSON array, or CSV with `Accept: text/csv`. Streamed.
         */
        get: operations["exportBills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/asset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the asset wallet is worth
         * @description Values each currency of the asset wallet at its latest price. Currencies without a price are listed, but not in the total.
         */
        get: operations["getAssetSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bonus-account/bills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Bills of the reward wallet, newest first
         * @description Movements of money in the reward wallet. Days are in UTC.
         */
        get: operations["listRewardBills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bonus-account/bills/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export bills
         * @description The same filters, newest first, without paging; a JSON array, or CSV with `Accept: text/csv`. Streamed.
         */
        get: operations["exportRewardBills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bonus-account/asset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the reward wallet is worth
         * @description Values each currency of the reward wallet at its latest price. Currencies without a price are listed, but not in the total.
         */
        get: operations["getRewardAssetSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bonus-account/convert/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what a conversion of rewards would bring
         * @description An offer at the present price, which holds for a minute. It moves no money and holds none.
         */
        post: operations["createConversionQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bonus-account/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert rewards into the asset wallet
         * @description Takes an offer of `/bonus-account/convert/quote`. Needs an `Idempotency-Key`.
         */
        post: operations["convertRewards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a reward
         * @description Posts from the reward pool into the reward wallet. The type `PENALTY` takes the (positive) amount back and may make the wallet negative. Needs an `Idempotency-Key`.
         */
        post: operations["payReward"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post a batch of transfers
         * @description Up to 1000; a refused or malformed item fails alone, unless `atomic` is true. Needs an `Idempotency-Key`.
         */
        post: operations["postTransfers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/transfers/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a transfer by a new one
         * @description Once; it passes even if the person has spent the money, and then freezes the account. Of a conversion both halves are undone together; purchases have refunds instead, and deposits from a chain are taken back by an adjustment. Needs an `Idempotency-Key`.
         */
        post: operations["reverseTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last 100 withdrawals of a person
         * @description Newest first, whatever their state is.
         */
        get: operations["listWithdrawals"];
        put?: never;
        /**
         * Hold money for a withdrawal
         * @description Of the asset wallet. Needs an `Idempotency-Key`.
         */
        post: operations["createWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/withdrawals/{id}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle a withdrawal, whole or in part
         * @description Records what was paid out, so it passes even if money of the person was frozen since, or the account closed: what was held covers it. Before paying, make sure that it may still be paid. Needs an `Idempotency-Key`.
         */
        post: operations["settleWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/withdrawals/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give back what is held
         * @description What is still held returns to the available balance of the person. Needs an `Idempotency-Key`.
         */
        post: operations["cancelWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One withdrawal
         * @description What is held, what of it was settled, and the state.
         */
        get: operations["getWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prices with their sources
         * @description The latest price of each pair, who set it, and when it was true.
         */
        get: operations["listPrices"];
        put?: never;
        /**
         * Set a price
         * @description An older `priced_at` than the one known changes nothing.
         */
        post: operations["setPrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/price-feeds/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add or change a price feed
         * @description An HTTPS address that is read at an interval, and where in its JSON the price stands.
         */
        put: operations["putPriceFeed"];
        post?: never;
        /**
         * Remove a price feed
         * @description Prices that it brought stay. Answers the feeds that remain.
         */
        delete: operations["deletePriceFeed"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/price-feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Price feeds and how they fare
         * @description Each feed with the time of its last price and the error of its last reading.
         */
        get: operations["listPriceFeeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statement of any account
         * @description Bills of one account of a person or of the house for a range of days in UTC, with the balances before the first and after the last.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/ledger/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Balances of the house beside those of all people
         * @description By currency: each account of the house, and the sums of people's wallets. All balances of a currency add up to zero.
         */
        get: operations["listLedgerAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Kinds of wallets, and accounts of the house
         * @description The codes that transfers may name.
         */
        get: operations["listWalletKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/wallets/{wallet}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a kind of wallet, or an account of the house
         * @description For good: it never changes and is never removed. Harmless when it exists on the same side; 409 `wallet_exists` when it is of the other one. People can have 31 kinds (409 `wallet_limit`). A further wallet of people is the operator's to post to and to show: `/account/*` and `/bonus-account/*` stay those of `asset` and `bonus`.
         */
        put: operations["putWalletKind"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/ledger/heads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Signed daily heads of the ledger
         * @description Each head signs the seals of all postings up to a point, so that an older copy proves that nothing before it was changed.
         */
        get: operations["listLedgerHeads"];
        put?: never;
        /**
         * Sign where the ledger stands now
         * @description Seals and signs what is posted by now. Where nothing was posted since the last head, that one is answered.
         */
        post: operations["signLedgerHead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/ledger/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Keys that sign the heads
         * @description The same keys as `/.well-known/ledger-keys.json`.
         */
        get: operations["listOperatorLedgerKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/ledger-keys.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Keys that sign the heads of the ledger (JWK set)
         * @description Ed25519 public keys, for auditors who check signed heads without access to the service.
         */
        get: operations["listLedgerKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/ledger/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The whole ledger as a plain-text journal
         * @description For `ledger` or `hledger`: every transfer, and at the end the stored balances as assertions. Streamed.
         */
        get: operations["exportJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/address/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The address to deposit a currency to
         * @description Made at the first request, then always the same; every EVM network shares one. 409 `network_unavailable` where the operator has not configured the network.
         */
        get: operations["getDepositAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deposit/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deposits of the caller, newest first
         * @description Payments to the deposit addresses of the caller, from the first confirmation on.
         */
        get: operations["listDeposits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deposit/get/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One deposit of the caller
         * @description The same record as in the list.
         */
        get: operations["getDeposit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/chains/{network}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Configure a network
         * @description What is left out stays as it is. Networks that are not known by name also need `kind` and its facts, which cannot be changed later; only `coin` can, while nothing was credited as another currency.
         */
        put: operations["putChain"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/chains/{network}/tokens/{currency}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Configure the token that carries a currency on a network
         * @description What is left out stays as it is.
         */
        put: operations["putChainToken"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Networks, their tokens, and where their watchers stand
         * @description Each configured network: its tokens, its watcher's height and state, and what is wrong.
         */
        get: operations["listChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/chains/{network}/backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read old blocks again
         * @description Finds deposits that were made before the network was watched or before their address was issued. Nothing is credited twice.
         */
        post: operations["backfillChain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/chains/{network}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a halted network from a block
         * @description Deposits above that block are taken back, and credited again where the chain still holds them. The nodes are asked: 409 `block_mismatch` when one has another block there, or none has any, and when a block below it that holds deposits was replaced (`replaced_height`; `sure_height` and `sure_hash` name the highest with deposits that still stands). Blocks below it that may not have been read as they are now are read again.
         */
        post: operations["resumeChain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/chains/{network}/halt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Halt a network
         * @description Nothing is read, credited or reversed until it is resumed. The way back from a block that was believed wrongly: halt, then resume from a lower one. A halted network stays as it is.
         */
        post: operations["haltChain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/currencies/{currency}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a currency
         * @description Harmless when it exists with the same scale; 409 `currency_exists` when it exists with another, because stored amounts count in it.
         */
        put: operations["putCurrency"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deposits of all users, newest first
         * @description Deposits of every person and network, those of tokens that are not supported included.
         */
        get: operations["listAllDeposits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/deposits/{id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold a deposit: it is not credited until it is released
         * @description For a review; its owner reads the reason. Needs an `Idempotency-Key`.
         */
        post: operations["holdDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/deposits/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a deposit: it is credited once it is deep enough
         * @description Undoes a hold or a rejection. Needs an `Idempotency-Key`.
         */
        post: operations["releaseDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/deposits/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a deposit: it is not credited, whatever the chain does; only a release undoes it
         * @description The money stays on the deposit address. Needs an `Idempotency-Key`.
         */
        post: operations["rejectDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/deposits/unswept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What still lies on the deposit addresses of a network, as the chain says now
         * @description JSON, or CSV with `Accept: text/csv`. The service only watches: move it with the wallet that holds the account key.
         */
        get: operations["listUnswept"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the devices of the current user
         * @description Terminals and browser extensions of the person, with their state. Deleted ones are listed with `status=deleted` only.
         */
        get: operations["listDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/devices/{node_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one device
         * @description The same record as in the list. A token that is bound to a device reads that device only.
         */
        get: operations["getDevice"];
        /**
         * Register or update the calling device
         * @description The first registration binds the token to the node. With a key-bound token the node ID is the thumbprint of the key.
         */
        put: operations["registerDevice"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a device, or grant it categories
         * @description Members that are left out stay as they are.
         */
        patch: operations["updateDevice"];
        trace?: never;
    };
    "/me/devices/{node_id}/disconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disconnect a device
         * @description Closes its live connection and revokes every token bound to it.
         */
        post: operations["disconnectDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/devices/{node_id}/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a device
         * @description The device is no longer bound to the user; its earnings and history stay.
         */
        post: operations["deleteDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/devices/{node_id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a heartbeat of the calling device
         * @description For devices that cannot hold a live connection. A device that is silent for several intervals is offline.
         */
        post: operations["sendHeartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/devices/{node_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the hourly usage of a device
         * @description Bytes and time online by hour, in UTC, as relays and the service measured them.
         */
        get: operations["getDeviceUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/devices/{node_id}/refused-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the traffic reports of a device that do not count
         * @description Of malformed reports, and of reports whose ID another report has, the newest 20 of each device are kept.
         */
        get: operations["listRefusedReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/devices/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the live connection of the calling device (WebSocket)
         * @description Authenticate with the Authorization header or, in a browser, with the subprotocols `edge-account` and a ticket. The service sends `{"type":"state"}` and pings; it sends `{"type":"disconnect","code","reason"}` before it closes the connection. Close codes: 4400 unknown message, 4401 token expired or revoked, 4403 device disconnected, 4408 client does not read, 4409 device connected again, 4429 too many messages or connections, 1002 not the WebSocket protocol, 1007 not UTF-8, 1008 too many fragments, 1009 message too large, 1012 restart. The device may send `{"type":"beat"}`.
         */
        get: operations["connectDevice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/devices/connect-ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a ticket for the live connection
         * @description For browsers, whose WebSocket carries no Authorization header. It is accepted once, for a few seconds.
         */
        post: operations["createConnectTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/traffic-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report measured traffic
         * @description Up to 1000 measurements of a relay, each judged by itself: accepted, replayed (the same report again, which counts once) or refused with a code.
         */
        post: operations["reportTraffic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/payout-addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payout addresses
         * @description The addresses that the user may be paid at, oldest first.
         */
        get: operations["listPayoutAddresses"];
        put?: never;
        /**
         * Add a payout address
         * @description Needs a second factor that was verified in the last minutes, by the login or `/me/reauthenticate`; an account with an authenticator or passkey must have used it. The address is checked by its checksum, its owner gets a mail, and payouts to it are possible after 24 hours.
         */
        post: operations["addPayoutAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/payout-addresses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a payout address
         * @description Payouts that were requested before continue.
         */
        delete: operations["removePayoutAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask what a payout would cost
         * @description The fee, the minimum, what would arrive, and what the limits leave. It moves no money.
         */
        get: operations["quotePayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payouts, newest first
         * @description The payouts of the user.
         */
        get: operations["listPayouts"];
        put?: never;
        /**
         * Request a payout
         * @description Holds the amount until it is paid, cancelled or rejected. Needs an `Idempotency-Key` and a second factor that was verified in the last minutes; an account with an authenticator must have used it, one without has a lower limit, as has one whose factors or email address changed in the last 24 hours. An account with a passkey signs the payout with it instead: `createPayoutSigningOptions` tells what, and the signer verifies it again. A wrong or missing signature is not recorded under the key.
         */
        post: operations["requestPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts/signing-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a passkey signs before a payout is requested
         * @description Send the body and the `Idempotency-Key` that the request will have. The challenge is the hash of the order; programs that show the payout themselves compare the order with what they show. It moves no money.
         */
        post: operations["createPayoutSigningOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a payout
         * @description While it is `requested`, `in_review` or `approved`: the signer has not taken it. The money is available again. Needs an `Idempotency-Key`.
         */
        post: operations["cancelPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One payout
         * @description With the confirmations that its transaction has now.
         */
        get: operations["getPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payout-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The payout policy
         * @description The newest version. Without one nothing is paid out.
         */
        get: operations["getPayoutPolicy"];
        /**
         * Write the next version of the payout policy
         * @description Fees, limits and bounds for each currency and network. Applies to requests from now on; a quote keeps its fee for five minutes, and nothing else. The address of the sanctions check also applies to payouts that wait for its answer. Earlier versions are kept.
         */
        put: operations["putPayoutPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payouts of all users with a status, oldest first
         * @description The queue is `?status=in_review`, with the reasons of each review.
         */
        get: operations["listReviewedPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One payout, as operators see it
         * @description With its document, the answer of the sanctions check, and all decisions.
         */
        get: operations["getReviewedPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payouts/{id}/approval-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Options of a passkey approval
         * @description The challenge is the hash of the payout’s document.
         */
        post: operations["createApprovalOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payouts/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a payout with a passkey
         * @description The assertion signs the hash of the document; the signer verifies it again. Above the bound of the policy two distinct operators approve, and none approves their own payout.
         */
        post: operations["approvePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payouts/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a payout
         * @description While the signer has not taken it. The money is available again. Harmless when repeated.
         */
        post: operations["rejectPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payouts/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a payout back from a signer that lost its state
         * @description While the signer has reported no transaction of it: it reports each before it sends it, and later reports of it are refused. The payout gets a new document, which two operators approve; the decision is kept in the sealed log. Harmless when repeated.
         */
        post: operations["releasePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payouts/{id}/mismatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide about a transaction that does not pay what the document says
         * @description Of a payout in `sent` with the reason `transaction_mismatch`: the transaction counts as the payment, or the money is given back, for which as many operators decide as the payout needed approvals. Persons only. Carried out once the block is final; the decision is kept in the sealed log. Harmless when repeated.
         */
        post: operations["decidePayoutMismatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payout-approver-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller’s passkeys as public keys
         * @description For the configuration of the signer.
         */
        get: operations["listApproverKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payout-stops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stopped currencies
         * @description With the reasons.
         */
        get: operations["listPayoutStops"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payout-stops/{currency}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Stop the payouts of a currency
         * @description Nothing is requested, approved, taken by the signer, or sent by it. What the chain has cannot be stopped. Harmless when repeated.
         */
        put: operations["stopPayouts"];
        post?: never;
        /**
         * Let the payouts of a currency continue
         * @description Harmless when repeated.
         */
        delete: operations["resumePayouts"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payouts/take": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take approved payouts, as the signer
         * @description Each payout goes to one signer. What the same signer took before and has not sent is listed again. A payout whose owner is disabled, or whose approvers may no longer approve, goes back to review instead.
         */
        post: operations["takePayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/payouts/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report transactions, as the signer
         * @description All of them or none. Harmless when repeated. A first transaction is not to be sent when its report is refused: with `payout_stopped` while the currency is stopped, with `payout_of_other_signer` when operators have taken the payout back, or the account of its owner was disabled.
         */
        post: operations["reportPayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account at a glance
         * @description Devices, traffic, balances, and what was earned in all and yesterday (UTC).
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/network-rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rewards since ever, by reward type
         * @description The sum of each reward type and currency since the account exists, penalties deducted.
         */
        get: operations["listNetworkRewards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/earnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Earnings by day
         * @description Each day in UTC of the range, with its sum by currency and its parts by reward type.
         */
        get: operations["listEarnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/reward-keys.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The key that signs proofs (JWK set)
         * @description Ed25519 public keys, for all who check a proof without access to the service.
         */
        get: operations["listRewardKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/reward-roots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The roots of settled hours, newest first
         * @description The same for every reader: compare the root of a proof with the one of its batch here, or with a copy that another user kept.
         */
        get: operations["listRewardRoots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/rewards/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the network pays rewards, and when the next time
         * @description The same for every user. Hours are paid in their order, some time after each.
         */
        get: operations["getRewardSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reward lines, paid or not, with the reason
         * @description What the rules computed for the devices and referees of the person, hour by hour, also where nothing was paid.
         */
        get: operations["listRewardLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/rewards/{bill_id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Proof of a reward bill
         * @description From the bill to the rule, the usage and the root in the sealed ledger. Keep the bytes unchanged: `edge-account verify-proof FILE` checks them offline.
         */
        get: operations["getRewardProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Versions, newest first
         * @description Drafts, the active version, and those that applied before.
         */
        get: operations["listRules"];
        put?: never;
        /**
         * Draft rules
         * @description Stores a version that pays nothing until it is activated. All faults of the document are reported at once.
         */
        post: operations["createRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rules/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One version
         * @description The rules as they were sent, and when they apply.
         */
        get: operations["getRules"];
        /**
         * Replace a draft
         * @description Only a draft can be replaced. All faults of the document are reported at once.
         */
        put: operations["replaceRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rules/{version}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a version apply from an hour on
         * @description From the begin of an hour that is still to come; the next one by default. The version active before applies until then.
         */
        post: operations["activateRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rules/{version}/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Who would have got what
         * @description Nothing is written. Which addresses devices had, and whose account was active, is not kept by hour: limits and gates are judged by those of today, so that a past hour can differ from what was settled. Referral rewards: by the rules that applied, of the referees that settlement counted in that hour; by these rules, as if their own gates had applied to all users from the first hour on. Hours online continue from what settlement had counted by then; it counts only under rules with referral rewards, and no further than their highest gate. What would be held is left out. When these rules are activated, users who count already keep counting, and users who are held stay held until released.
         */
        post: operations["dryRunRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Runs of settlement, newest first
         * @description Each run settles one hour, corrects one, or pays what was held.
         */
        get: operations["listSettlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/settlements/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a run that cannot continue
         * @description Ends it without what is left: lines that were not posted become `refused`, with the reason `settlement_closed`; a run that could not be computed pays nothing. What was paid stays. Pay the rest by `POST /operator/rewards`.
         */
        post: operations["closeSettlement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/held-rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Referees whose rewards are held
         * @description People whose devices share an address or a key with others, and what is held back from their referrers.
         */
        get: operations["listHeldRewards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/held-rewards/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay what was held for a referee, and hold no more
         * @description A run of settlement pays what was held, and rewards on account of this person are paid from then on.
         */
        post: operations["releaseHeldRewards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/community/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List community members
         * @description Direct referrals or the whole downline, newest first, with the exact total. At most 120 searches an hour for addresses in the whole downline.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/community/members/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export members
         * @description The same filters, newest first, without paging; JSON, or CSV with `Accept: text/csv`. At most `EXPORT_CAP` rows: `X-Total-Count` is the number of members, and `X-Result-Capped: true` means that not all of them are included.
         */
        get: operations["exportMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/community/members/note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set or clear the note on a direct referral
         * @description 404 for users who are not direct referrals of the caller.
         */
        post: operations["setMemberNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/community/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts and performance by level, joins per day
         * @description By level of the downline: how many members, and what they bought. By day in UTC: who joined.
         */
        get: operations["getCommunitySummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/purchases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record the purchase of a package
         * @description Debits the asset wallet of the person in the reward currency, or with `external` only records it. Needs an Idempotency-Key.
         */
        post: operations["createPurchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/purchases/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a purchase, whole or in part
         * @description The money goes back to where it came from. Needs an Idempotency-Key.
         */
        post: operations["refundPurchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/purchases/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a purchase
         * @description What was bought, by whom, and what was refunded.
         */
        get: operations["getPurchase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that is kept about the user
         * @description A ZIP archive (GDPR Art. 15 and 20) of JSON Lines: `NAME.jsonl`, the JSON Schema of each in `schemas/`, and `manifest.json`, which also names what is left out and why. Needs a second factor that was verified in the last minutes, by the login or `/me/reauthenticate`; an account with an authenticator or passkey must have used it. The export is recorded in the security log, and the user gets a mail. At most 10 a day. The archive is sent while it is made: one that cannot be opened is incomplete.
         */
        get: operations["exportMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/userinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who the person is
         * @description Claims about the person whose token is presented (OpenID Connect Core 5.3). `email`, `nickname`, `groups` and `roles` need their scopes.
         */
        get: operations["getUserInfo"];
        put?: never;
        /**
         * Who the person is
         * @description The same as the GET, for clients that post (OpenID Connect Core 5.3.1). The token stands in the Authorization header, or in the form as `access_token`; not in both. One that is bound to a key (DPoP) stands in the header only.
         */
        post: operations["postUserInfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Start an authorization
         * @description OpenID Connect authorization request: `response_type=code`, `client_id`, `redirect_uri`, PKCE with `code_challenge_method=S256` (required, unless the client is registered without and sends `nonce`). Answers 302 to the authorization page with `interaction_id`, or, if the user need not be asked, to the client with a code.
         */
        get: operations["startAuthorization"];
        put?: never;
        /**
         * Exchange an access token, or start an authorization by POST
         * @description JSON `{access_token, client_id, node_id?, scope?}` exchanges the access token of a login for a device token and answers like the token endpoint; a confidential client authenticates. A form with `response_type` is an OpenID Connect authorization request and is answered 302 to the same GET. Anything else is 400.
         */
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/authorize/{interaction_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Continue after consent
         * @description The address of `redirect_to` of the consent: needs its ticket, which is accepted once, and the cookie of the browser that started the request. Ends at the client with a code or an error.
         */
        get: operations["resumeAuthorization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get tokens
         * @description Grants: `authorization_code` (with `code_verifier`; `authorization_code` is an alias of `code`), `refresh_token`, `client_credentials`, `urn:ietf:params:oauth:grant-type:device_code`, `urn:ietf:params:oauth:grant-type:token-exchange`. Answers `access_token`, the same as `device_token`, `token_type`, `expires_in`, `scope`, and, if requested, `id_token` and `refresh_token`.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a token (RFC 7009)
         * @description The client's own access, device or refresh token; a refresh token revokes its family.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Introspect a token (RFC 7662)
         * @description Whether a token is active, and its claims. Public clients can introspect their own tokens only.
         */
        post: operations["introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/par": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Push an authorization request (RFC 9126)
         * @description Takes what `GET /oauth2/authorize` takes, from the client itself, and answers a `request_uri` for it that serves once within a minute.
         */
        post: operations["pushAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/device_authorization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a device flow (RFC 8628)
         * @description Answers `device_code`, `user_code`, `verification_uri`, `verification_uri_complete`, `expires_in`; poll every 5 s. An earlier poll is answered `slow_down`, and the interval is 5 s longer from then on.
         */
        post: operations["startDeviceAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Discovery
         * @description Issuer, endpoints, supported algorithms and claims.
         */
        get: operations["getOpenIdConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Discovery
         * @description Issuer, endpoints, supported algorithms and claims.
         */
        get: operations["getAuthorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask the user to sign out
         * @description OpenID Connect RP-Initiated Logout 1.0. Answers a page where the user signs out of the account, or only of the application; without a session in this browser, 302 to `post_logout_redirect_uri`, or to a page that says so.
         */
        get: operations["startLogout"];
        put?: never;
        /**
         * Ask the user to sign out, by POST
         * @description The same by a form: 303 to the GET.
         */
        post: operations["postLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/logout/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description What the form of the page sends. Ends the session with all its tokens, or notes that the user left the application; then 303 to `post_logout_redirect_uri` or to a page. Every application concerned that has a `backchannel_logout_uri` gets a logout token.
         */
        post: operations["confirmLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/logout/success": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * After a logout
         * @description The page where a logout ends that leads nowhere else.
         */
        get: operations["showLogout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a client (RFC 7591)
         * @description For the holder of an initial access token of the operator, in the Authorization header as Bearer. Changes are made by the operator.
         */
        post: operations["registerClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-in/upstream/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive the browser from a provider that posts a form
         * @description OAuth 2.0 Form Post Response Mode. Sends the browser to the page at the same path, with the parameters of the form.
         */
        post: operations["receiveUpstreamForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description RFC 9457 problem document. Some codes add members, for example `tries_left`. */
        Problem: {
            /** @description URN of the code. */
            type: string;
            /** @description What the code means. */
            title: string;
            /** @description HTTP status. */
            status: number;
            /** @description Explanation of this error. */
            detail: string;
            /** @description Stable code; see `x-failure-codes`. */
            code: string;
            /** @description Identifier of the request in the logs. */
            request_id: string;
            /** @description Of `invalid_parameter`: the fields that are wrong. */
            errors?: {
                /** @description Path of the field. */
                field: string;
                /** @description What is wrong with it. */
                code: string;
                /** @description The same in words. */
                message: string;
            }[];
            /**
             * @description Of `challenge_required`: who can solve the challenge.
             * @enum {string}
             */
            challenge_type?: "proof_of_work" | "turnstile" | "hcaptcha";
            /** @description Of `challenge_required`: a challenge of ALTCHA (v2) with `parameters` and `signature`, or the `site_key` of the widget. The request is repeated with the solution in the header `Challenge-Solution`. */
            challenge?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description Error of a protocol endpoint (RFC 6749, 5.2). */
        OAuthProblem: {
            /** @description Code of RFC 6749 or an extension of it. */
            error: string;
            /** @description The same in words. */
            error_description?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A device bound to the current user. */
        Device: {
            /** @description Unique node ID; for a key-bound device the thumbprint of its key. */
            node_id: string;
            /** @description Name given by its owner; by default browser and operating system. */
            name: string;
            /**
             * @description Kind of device.
             * @enum {string}
             */
            device_type: "TERMINAL" | "EXTENSION";
            /** @description Browser or client type. */
            browser: string;
            /** @description Extension version. */
            extension_version: string;
            /** @description Operating system. */
            os: string;
            /** @description Timezone. */
            timezone: string;
            /**
             * @description Online and offline follow from the last heartbeat.
             * @enum {string}
             */
            status: "online" | "offline" | "disconnected" | "deleted";
            /** @description Cause of the status, as text. */
            status_reason: string;
            /**
             * @description Cause of the status, as a code.
             * @enum {string}
             */
            status_reason_code: "heard" | "silent" | "not_connected_yet" | "registered_again" | "cut_by_owner" | "cut_by_key_holder";
            /**
             * Format: date-time
             * @description Time of the last heartbeat, registration or revocation, as the cause requires.
             */
            status_since: string;
            /** @description Granted categories. */
            granted_categories: string[];
            /** @description Categories that the device requests. */
            requested_categories: string[];
            /** @description Capabilities. */
            capabilities: string[];
            /**
             * Format: decimal
             * @description Traffic that relays reported, in GB of 10^9 bytes.
             */
            traffic_gb: string;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Last heartbeat; the creation time before the first one. Of a device that is connected to another instance of the service: when that instance last confirmed the connection.
             */
            last_seen_at: string;
        };
        /** @description An API that takes access tokens of this service. */
        ResourceServer: {
            /** @description Lower-case letters, digits and hyphens, at most 40. */
            id: string;
            /** @description Name for operators. */
            name: string;
            /** @description What requests name as `resource` and tokens carry as `aud` (RFC 8707): an absolute URI without a fragment, for example the address of the API. Fixed once stored. */
            audience: string;
            /** @description All scopes. One that a client still has cannot be left out. */
            scopes: {
                /** @description For example `orders:read`; unique among all resource servers. */
                name: string;
                /** @description What it permits, shown to the user who is asked for consent. */
                description: string;
            }[];
            /** @description False: it gets no tokens, and introspection answers that none is active. */
            enabled: boolean;
            /**
             * Format: date-time
             * @description The last change.
             */
            updated_at: string;
        };
        /** @description An OpenID provider of others. */
        UpstreamProvider: {
            /** @description Lower-case letters, digits and hyphens, at most 40. */
            id: string;
            /** @description Name at the sign-in. */
            label: string;
            /** @description Issuer identifier (OpenID Connect Discovery 1.0): https, no query; its metadata is read when the provider is stored. */
            issuer: string;
            /** @description The client that the provider has registered for this service. */
            client_id: string;
            /** @description A client secret is stored. */
            has_secret: boolean;
            /** @description What is requested; `openid` is needed. Default: openid, email, profile. */
            scopes: string[];
            /** @description Values of `amr` (RFC 8176) in an ID token of the provider that count as the second factor of a linked account. Default: none, and the second factor is asked here. */
            second_factor_amr: string[];
            /**
             * @description How the provider sends the browser back; default: query.
             * @enum {string}
             */
            response_mode: "query" | "form_post";
            /** @description False: for a provider that returns no `nonce`; it must support PKCE, which then binds the code alone. Default: true. */
            sends_nonce: boolean;
            /** @description Users can sign in with it; default: true. */
            enabled: boolean;
            /**
             * Format: date-time
             * @description The last change.
             */
            updated_at: string;
        };
        /** @description One currency of the asset wallet. */
        Account: {
            /** @description Currency code, for example `EDGE`. */
            currency: string;
            /**
             * Format: decimal
             * @description Available balance.
             */
            balance: string;
            /**
             * Format: decimal
             * @description Frozen balance, apart from the available one.
             */
            hold: string;
            /**
             * Format: decimal
             * @description Cumulative deposit.
             */
            deposited: string;
            /**
             * Format: decimal
             * @description Cumulative withdrawal.
             */
            withdrawal: string;
        };
        /** @description One currency of the reward wallet. */
        RewardAsset: {
            /** @description Currency code, for example `EDGE`. */
            currency: string;
            /**
             * Format: decimal
             * @description Available balance.
             */
            balance: string;
            /**
             * Format: decimal
             * @description Frozen balance, apart from the available one.
             */
            hold: string;
            /**
             * Format: decimal
             * @description Cumulative deposit.
             */
            deposited: string;
            /**
             * Format: decimal
             * @description Cumulative withdrawal.
             */
            withdrawal: string;
            /** @description What the rewards that came into this wallet in this currency came from. */
            by_reward_type: {
                /** @description Reward type. */
                reward_type: string;
                /**
                 * Format: decimal
                 * @description Earned with it in this wallet in all, penalties deducted.
                 */
                amount: string;
            }[];
        };
        /** @description A movement of money in a wallet. */
        Bill: {
            /** @description Bill. */
            id: number;
            /** @description The transfer that the bill is one side of; it can be reversed under this id. */
            transfer_id: number;
            /** @description Currency code, for example `EDGE`. */
            currency: string;
            /** @description Transaction type, for example `deposit`. */
            business_id: string;
            /** @description 1 = credit, 2 = debit. */
            amount_direction: number;
            /**
             * Format: decimal
             * @description Positive.
             */
            amount: string;
            /**
             * Format: decimal
             * @description Available balance and hold together, after this bill.
             */
            balance_after: string;
            /** @description Of rewards. */
            reward_type?: string;
            /** @description The other side: `user:ID`, or an account of the house. */
            counterparty?: string;
            /** @description Reference of the business server. */
            reference?: string;
            remark?: string;
            /**
             * Format: date-time
             * @description When it happened or was earned.
             */
            event_at: string;
            /**
             * Format: date-time
             * @description When it was posted; bills are filtered and sorted by it.
             */
            created_at: string;
        };
        /** @description A withdrawal. */
        Withdrawal: {
            /** @description The withdrawal. */
            id: number;
            /** @description Whose money. */
            user_id: number;
            currency: string;
            /**
             * Format: decimal
             * @description Held at first.
             */
            amount: string;
            /**
             * Format: decimal
             * @description Still held.
             */
            remaining: string;
            /**
             * Format: decimal
             * @description Paid out so far; of a withdrawal that was `cancelled` or `expired`, the part that was paid before the rest was given back.
             */
            settled: string;
            /**
             * Format: decimal
             * @description Of what was paid out: undone since, by reversing its transfers. Absent when nothing was.
             */
            reversed?: string;
            /**
             * @description What became of the last part: see `settled` for how much was paid, and `reversed` for how much of it was undone.
             * @enum {string}
             */
            status: "held" | "settled" | "cancelled" | "expired";
            reference?: string;
            remark?: string;
            /** @description The transfer of the part that was just paid out; only in the answer to settling. */
            transfer_id?: number;
            /**
             * Format: date-time
             * @description When the money is given back by itself.
             */
            expires_at?: string;
            /**
             * Format: date-time
             * @description When it was held.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description A price. */
        Price: {
            /** @description Currency code. */
            currency: string;
            /** @description Currency code. */
            quote_currency: string;
            /**
             * Format: decimal
             * @description Units of `quote_currency` for one unit of `currency`.
             */
            price: string;
            /**
             * Format: date-time
             * @description When the price was made.
             */
            priced_at: string;
            /** @description `operator:CLIENT` or `feed:NAME`. */
            source: string;
        };
        /** @description A source of prices. */
        PriceFeed: {
            /** @description Lower-case letters, digits and hyphens. */
            name: string;
            /** @description Asked by GET; https only, no private addresses, no redirects, 5 s, 64 KB. */
            url: string;
            /** @description JSON pointer (RFC 6901) to the price in the answer, for example `/data/0/last`: a number, or a string that holds one. Read digit by digit, exponents too; more than 30 decimals are rounded half to even. */
            pointer: string;
            /** @description Currency code. */
            currency: string;
            /** @description Currency code. */
            quote_currency: string;
            /** @description Seconds between two requests. */
            every_s: number;
            /**
             * Format: date-time
             * @description When it last brought a price.
             */
            last_success_at?: string;
            /** @description Why the last request brought none. */
            last_error?: string;
        };
        /** @description A signed head. Keep it outside of the database: `edge-account verify --heads FILE` finds whether anything before it is gone. */
        LedgerHead: {
            /**
             * Format: calendar-day
             * @description UTC day that it closes; of one made on demand, the day it was made.
             */
            day: string;
            /** @description Exactly the bytes that were signed: JSON with the position and keyed hash of every shard. */
            body: string;
            /** @description Ed25519 over `body`, base64url. */
            signature: string;
            /** @description Key that signed; see `/.well-known/ledger-keys.json`. */
            kid: string;
        };
        /** @description An address that the user may be paid at. */
        PayoutAddress: {
            /** @description The address. */
            id: number;
            /** @description Code of the network. */
            network: string;
            /** @description Its name. */
            network_name: string;
            /** @description With its checksum. */
            address: string;
            /** @description Its name. */
            label: string;
            /**
             * Format: date-time
             * @description When it was added.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From when payouts to it are possible: 24 hours later.
             */
            usable_at: string;
        };
        /** @description A payout to an address on a chain. */
        Payout: {
            /** @description The payout. */
            id: number;
            /**
             * @description Where it is.
             * @enum {string}
             */
            status: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
            /**
             * @description Why it is there.
             * @enum {string}
             */
            reason_code: "waits_for_check" | "needs_review" | "needs_second_approval" | "approved_by_policy" | "approved_by_operators" | "taken_by_signer" | "waits_for_signer_limit" | "waits_for_hot_wallet" | "refused_by_signer" | "released_to_queue" | "owner_inactive" | "approver_inactive" | "money_frozen" | "in_pool" | "in_block" | "reverted_in_block" | "nonce_used_in_block" | "reorganised" | "deep_enough" | "reverted" | "nonce_used" | "paid_after_refund" | "cancelled_by_user" | "rejected_by_operator" | "transaction_mismatch" | "mismatch_accepted" | "mismatch_refunded";
            currency: string;
            /** @description Code of the network. */
            network: string;
            /** @description Its name. */
            network_name: string;
            /**
             * Format: decimal
             * @description What leaves the wallet.
             */
            amount: string;
            /**
             * Format: decimal
             * @description The part of it that the payout costs.
             */
            fee: string;
            /**
             * Format: decimal
             * @description What arrives at the address.
             */
            arrives: string;
            /** @description With its checksum. */
            address: string;
            /** @description The name of the address. */
            address_label: string;
            /** @description The transaction that pays it. */
            tx_hash?: string;
            /** @description Its page. */
            explorer_url?: string;
            /** @description Blocks from its block to the head. */
            confirmations: number;
            /** @description As many make it `confirmed`. */
            required_confirmations: number;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            requested_at: string;
            /**
             * Format: date-time
             * @description When it was approved or rejected.
             */
            decided_at?: string;
            /**
             * Format: date-time
             * @description When its transaction was sent.
             */
            sent_at?: string;
            /**
             * Format: date-time
             * @description When it was deep enough in the chain.
             */
            confirmed_at?: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description A payout as operators see it. */
        ReviewedPayout: {
            /** @description The payout. */
            id: number;
            /**
             * @description Where it is.
             * @enum {string}
             */
            status: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
            /**
             * @description Why it is there.
             * @enum {string}
             */
            reason_code: "waits_for_check" | "needs_review" | "needs_second_approval" | "approved_by_policy" | "approved_by_operators" | "taken_by_signer" | "waits_for_signer_limit" | "waits_for_hot_wallet" | "refused_by_signer" | "released_to_queue" | "owner_inactive" | "approver_inactive" | "money_frozen" | "in_pool" | "in_block" | "reverted_in_block" | "nonce_used_in_block" | "reorganised" | "deep_enough" | "reverted" | "nonce_used" | "paid_after_refund" | "cancelled_by_user" | "rejected_by_operator" | "transaction_mismatch" | "mismatch_accepted" | "mismatch_refunded";
            currency: string;
            /** @description Code of the network. */
            network: string;
            /** @description Its name. */
            network_name: string;
            /**
             * Format: decimal
             * @description What leaves the wallet.
             */
            amount: string;
            /**
             * Format: decimal
             * @description The part of it that the payout costs.
             */
            fee: string;
            /**
             * Format: decimal
             * @description What arrives at the address.
             */
            arrives: string;
            /** @description With its checksum. */
            address: string;
            /** @description The name of the address. */
            address_label: string;
            /** @description The transaction that pays it. */
            tx_hash?: string;
            /** @description Its page. */
            explorer_url?: string;
            /** @description Blocks from its block to the head. */
            confirmations: number;
            /** @description As many make it `confirmed`. */
            required_confirmations: number;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            requested_at: string;
            /**
             * Format: date-time
             * @description When it was approved or rejected.
             */
            decided_at?: string;
            /**
             * Format: date-time
             * @description When its transaction was sent.
             */
            sent_at?: string;
            /**
             * Format: date-time
             * @description When it was deep enough in the chain.
             */
            confirmed_at?: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Whose. */
            user_id: number;
            review_reasons: ("above_automatic" | "email_only" | "negative_wallet" | "new_address" | "address_failed" | "new_account" | "recent_factors" | "recent_reset" | "owner_inactive" | "approver_inactive" | "money_frozen" | "refused_by_signer" | "released_to_queue" | "sanctions" | "shared_devices")[];
            /** @description Distinct operators who must approve. */
            approvals_needed: number;
            /**
             * @description How the request was proven.
             * @enum {string}
             */
            step_up: "strong" | "email";
            /** @description Canonical JSON: what approvers sign. */
            document: string;
            /** @description SHA-256 of the document, base64url. */
            document_hash: string;
            /** @description Decimals of the token on this network. What is signed counts in 10^-decimals of the currency. */
            decimals?: number;
            /** @description Of an EVM network (EIP-155). What is signed names it. */
            chain_id?: number;
            /** @description Of a UTXO network: the prefix of its bech32 addresses. */
            address_prefix?: string;
            /** @description Of the token, in lower case; absent: the coin of the network itself. */
            contract?: string;
            /** @description What the check answered. */
            sanctions?: {
                [key: string]: unknown;
            };
            /**
             * Format: decimal
             * @description What the chain took, in its coin.
             */
            network_fee?: string;
            /** @description On a UTXO network, once sent: an output that all its transactions spend. Hash of its transaction, a colon, its number. */
            coin?: string;
            /**
             * @description What an operator decided about a transaction that does not pay what the document says.
             * @enum {string}
             */
            mismatch_outcome?: "confirmed" | "failed";
            /** @description How often its money was given back after the signer had taken it. Above 0 and `confirmed`: the chain paid it after that, and the money was taken again. */
            refunds: number;
            /** @description In their order. */
            decisions: {
                /** @description For example `approved`. */
                decision: string;
                /** @description `user:`, `client:`, `policy:`, `signer:` or `chain:` and the id. */
                decided_by: string;
                /** @description By decision. */
                details: {
                    [key: string]: unknown;
                };
                /**
                 * Format: date-time
                 * @description When.
                 */
                created_at: string;
            }[];
        };
        /** @description An approved payout, with the proof of its approval. */
        TakenPayout: {
            /** @description The payout. */
            payout_id: number;
            /** @description Canonical JSON. */
            document: string;
            /** @description Its SHA-256, base64url. */
            document_hash: string;
            /** @description Assertions over the hash; empty when the policy approved it. */
            approvals: {
                /** @description The operator. */
                user_id: number;
                /** @description The PublicKeyCredential of `navigator.credentials.get`, as its `toJSON()` gives it. */
                passkey_credential: {
                    id: string;
                    rawId: string;
                    /** @enum {string} */
                    type: "public-key";
                    response: {
                        clientDataJSON: string;
                        authenticatorData: string;
                        signature: string;
                        userHandle?: string | null;
                    };
                    authenticatorAttachment?: string | null;
                    clientExtensionResults: {
                        [key: string]: unknown;
                    };
                };
            }[];
            /** @description What the user has signed: the order, whose members the document has. Absent: the user has no passkey. */
            owner?: {
                /** @description COSE key, base64url. */
                public_key: string;
                /** @description The PublicKeyCredential of `navigator.credentials.get`, as its `toJSON()` gives it. */
                passkey_credential: {
                    id: string;
                    rawId: string;
                    /** @enum {string} */
                    type: "public-key";
                    response: {
                        clientDataJSON: string;
                        authenticatorData: string;
                        signature: string;
                        userHandle?: string | null;
                    };
                    authenticatorAttachment?: string | null;
                    clientExtensionResults: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        /** @description A member of the community. */
        CommunityMemberVO: {
            /** @description The member. */
            user_id: number;
            /** @description Nickname. */
            nickname: string;
            /** @description Email address; masked unless the member is a direct referral. */
            email: string;
            /** @description Distance from the caller: 1 for direct referrals. */
            level: number;
            /** @description Who referred the member. */
            referrer_id: number;
            /** @description The member's own direct referrals. */
            direct_count: number;
            /** @description The member's whole downline. */
            team_count: number;
            /**
             * Format: date-time
             * @description When the member joined.
             */
            joined_at: string;
            /**
             * Format: decimal
             * @description Own confirmed package purchases net of refunds, in the reward currency.
             */
            package_amount: string;
            /**
             * Format: decimal
             * @description The same summed over the member's whole downline, the member not included.
             */
            team_performance: string;
            /** @description The caller's note on this direct referral; empty for others. */
            note: string;
            /** @description The account was closed: nickname and email address belong to no user. */
            is_closed: boolean;
        };
    };
    responses: {
        /** @description Problem (RFC 9457): `account_disabled`. */
        account_disabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "account_disabled";
                };
            };
        };
        /** @description Problem (RFC 9457): `account_disabled`, `upstream_email_unverified`. */
        "account_disabled.upstream_email_unverified": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "account_disabled" | "upstream_email_unverified";
                };
            };
        };
        /** @description Problem (RFC 9457): `account_disabled`, `wallet_unknown`. */
        "account_disabled.wallet_unknown": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "account_disabled" | "wallet_unknown";
                };
            };
        };
        /** @description Problem (RFC 9457): `account_not_empty`. */
        account_not_empty: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "account_not_empty";
                };
            };
        };
        /** @description Problem (RFC 9457): `already_enrolled`. */
        already_enrolled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "already_enrolled";
                };
            };
        };
        /** @description Problem (RFC 9457): `body_too_large`. */
        body_too_large: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "body_too_large";
                };
            };
        };
        /** @description Problem (RFC 9457): `chain_id_taken`. */
        chain_id_taken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "chain_id_taken";
                };
            };
        };
        /** @description Problem (RFC 9457): `chain_not_halted`, `block_mismatch`. */
        "chain_not_halted.block_mismatch": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "chain_not_halted" | "block_mismatch";
                };
            };
        };
        /** @description Problem (RFC 9457): `chain_not_started`. */
        chain_not_started: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "chain_not_started";
                };
            };
        };
        /** @description Problem (RFC 9457): `challenge_required`. */
        challenge_required: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "challenge_required";
                };
            };
        };
        /** @description Problem (RFC 9457): `client_exists`. */
        client_exists: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "client_exists";
                };
            };
        };
        /** @description Problem (RFC 9457): `currency_exists`. */
        currency_exists: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "currency_exists";
                };
            };
        };
        /** @description Problem (RFC 9457): `device_deleted`. */
        device_deleted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "device_deleted";
                };
            };
        };
        /** @description Problem (RFC 9457): `device_deleted`, `device_disconnected`. */
        "device_deleted.device_disconnected": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "device_deleted" | "device_disconnected";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`. */
        "idempotency_key_reused.idempotency_in_flight": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`, `balance_too_large`, `account_closed`. */
        "idempotency_key_reused.idempotency_in_flight.balance_too_large.account_closed": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight" | "balance_too_large" | "account_closed";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`, `balance_too_large`, `counter_negative`, `already_reversed`, `not_reversible`. */
        "idempotency_key_reused.idempotency_in_flight.balance_too_large.counter_negative.already_reversed.not_reversible": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight" | "balance_too_large" | "counter_negative" | "already_reversed" | "not_reversible";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`, `balance_too_large`, `hold_not_open`, `hold_expired`, `hold_too_small`, `hold_of_payout`. */
        "idempotency_key_reused.idempotency_in_flight.balance_too_large.hold_not_open.hold_expired.hold_too_small.hold_of_payout": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight" | "balance_too_large" | "hold_not_open" | "hold_expired" | "hold_too_small" | "hold_of_payout";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`, `balance_too_large`, `refund_too_large`. */
        "idempotency_key_reused.idempotency_in_flight.balance_too_large.refund_too_large": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight" | "balance_too_large" | "refund_too_large";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`, `deposit_not_open`. */
        "idempotency_key_reused.idempotency_in_flight.deposit_not_open": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight" | "deposit_not_open";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`, `hold_not_open`, `hold_expired`, `hold_of_payout`. */
        "idempotency_key_reused.idempotency_in_flight.hold_not_open.hold_expired.hold_of_payout": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight" | "hold_not_open" | "hold_expired" | "hold_of_payout";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`, `insufficient_funds`, `account_closed`, `money_frozen`. */
        "idempotency_key_reused.idempotency_in_flight.insufficient_funds.account_closed.money_frozen": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight" | "insufficient_funds" | "account_closed" | "money_frozen";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`, `insufficient_funds`, `account_closed`, `money_frozen`, `quote_expired`, `payout_unavailable`, `payout_below_minimum`, `payout_above_limit`, `payout_address_not_usable`, `payout_stopped`. */
        "idempotency_key_reused.idempotency_in_flight.insufficient_funds.account_closed.money_frozen.quote_expired.payout_unavailable.payout_below_minimum.payout_above_limit.payout_address_not_usable.payout_stopped": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight" | "insufficient_funds" | "account_closed" | "money_frozen" | "quote_expired" | "payout_unavailable" | "payout_below_minimum" | "payout_above_limit" | "payout_address_not_usable" | "payout_stopped";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`, `insufficient_funds`, `balance_too_large`, `account_closed`. */
        "idempotency_key_reused.idempotency_in_flight.insufficient_funds.balance_too_large.account_closed": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight" | "insufficient_funds" | "balance_too_large" | "account_closed";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`, `insufficient_funds`, `balance_too_large`, `account_closed`, `money_frozen`, `quote_used`, `quote_expired`. */
        "idempotency_key_reused.idempotency_in_flight.insufficient_funds.balance_too_large.account_closed.money_frozen.quote_used.quote_expired": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight" | "insufficient_funds" | "balance_too_large" | "account_closed" | "money_frozen" | "quote_used" | "quote_expired";
                };
            };
        };
        /** @description Problem (RFC 9457): `idempotency_key_reused`, `idempotency_in_flight`, `payout_not_open`. */
        "idempotency_key_reused.idempotency_in_flight.payout_not_open": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "idempotency_in_flight" | "payout_not_open";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`. */
        "insufficient_scope.wrong_token_kind": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`, `account_disabled`. */
        "insufficient_scope.wrong_token_kind.account_disabled": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind" | "account_disabled";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`, `node_key_mismatch`, `token_bound_elsewhere`, `token_not_fresh`. */
        "insufficient_scope.wrong_token_kind.node_key_mismatch.token_bound_elsewhere.token_not_fresh": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind" | "node_key_mismatch" | "token_bound_elsewhere" | "token_not_fresh";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`, `not_own_account`. */
        "insufficient_scope.wrong_token_kind.not_own_account": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind" | "not_own_account";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`, `payout_own`. */
        "insufficient_scope.wrong_token_kind.payout_own": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind" | "payout_own";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`, `payout_own`, `approval_invalid`. */
        "insufficient_scope.wrong_token_kind.payout_own.approval_invalid": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind" | "payout_own" | "approval_invalid";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`, `reauthentication_required`. */
        "insufficient_scope.wrong_token_kind.reauthentication_required": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind" | "reauthentication_required";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`, `reauthentication_required`, `approval_invalid`, `payout_signature_required`. */
        "insufficient_scope.wrong_token_kind.reauthentication_required.approval_invalid.payout_signature_required": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind" | "reauthentication_required" | "approval_invalid" | "payout_signature_required";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`, `reauthentication_required`, `unmet_authentication_requirements`. */
        "insufficient_scope.wrong_token_kind.reauthentication_required.unmet_authentication_requirements": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind" | "reauthentication_required" | "unmet_authentication_requirements";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`, `token_bound_elsewhere`, `token_not_bound`. */
        "insufficient_scope.wrong_token_kind.token_bound_elsewhere.token_not_bound": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind" | "token_bound_elsewhere" | "token_not_bound";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`, `token_bound_elsewhere`, `token_not_bound`, `origin_refused`. */
        "insufficient_scope.wrong_token_kind.token_bound_elsewhere.token_not_bound.origin_refused": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind" | "token_bound_elsewhere" | "token_not_bound" | "origin_refused";
                };
            };
        };
        /** @description Problem (RFC 9457): `insufficient_scope`, `wrong_token_kind`, `token_not_bound`. */
        "insufficient_scope.wrong_token_kind.token_not_bound": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "insufficient_scope" | "wrong_token_kind" | "token_not_bound";
                };
            };
        };
        /** @description Problem (RFC 9457): `interaction_expired`. */
        interaction_expired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "interaction_expired";
                };
            };
        };
        /** @description Problem (RFC 9457): `internal_error`. */
        internal_error: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "internal_error";
                };
            };
        };
        /** @description Problem (RFC 9457): `invalid_code`, `invalid_ticket`. */
        "invalid_code.invalid_ticket": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid_code" | "invalid_ticket";
                };
            };
        };
        /** @description Problem (RFC 9457): `invalid_credentials`. */
        invalid_credentials: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid_credentials";
                };
            };
        };
        /** @description Problem (RFC 9457): `invalid_parameter`, `malformed_body`, `malformed_request`. */
        "invalid_parameter.malformed_body.malformed_request": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid_parameter" | "malformed_body" | "malformed_request";
                };
            };
        };
        /** @description Problem (RFC 9457): `invalid_parameter`, `malformed_body`, `malformed_request`, `idempotency_key_required`. */
        "invalid_parameter.malformed_body.malformed_request.idempotency_key_required": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid_parameter" | "malformed_body" | "malformed_request" | "idempotency_key_required";
                };
            };
        };
        /** @description Problem (RFC 9457): `invalid_parameter`, `malformed_body`, `malformed_request`, `method_unavailable`. */
        "invalid_parameter.malformed_body.malformed_request.method_unavailable": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid_parameter" | "malformed_body" | "malformed_request" | "method_unavailable";
                };
            };
        };
        /** @description Problem (RFC 9457): `invalid_parameter`, `malformed_request`. */
        "invalid_parameter.malformed_request": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid_parameter" | "malformed_request";
                };
            };
        };
        /** @description Problem (RFC 9457): `invalid_ticket`. */
        invalid_ticket: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid_ticket";
                };
            };
        };
        /** @description Problem (RFC 9457): `invalid_ticket`, `upstream_refused`. */
        "invalid_ticket.upstream_refused": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid_ticket" | "upstream_refused";
                };
            };
        };
        /** @description Problem (RFC 9457): `invalid_ticket`, `wallet_signature_invalid`. */
        "invalid_ticket.wallet_signature_invalid": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "invalid_ticket" | "wallet_signature_invalid";
                };
            };
        };
        /** @description Problem (RFC 9457): `last_sign_in_method`. */
        last_sign_in_method: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "last_sign_in_method";
                };
            };
        };
        /** @description Problem (RFC 9457): `linked_account_limit`. */
        linked_account_limit: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "linked_account_limit";
                };
            };
        };
        /** @description Problem (RFC 9457): `malformed_request`. */
        malformed_request: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "malformed_request";
                };
            };
        };
        /** @description Problem (RFC 9457): `misdirected_request`. */
        misdirected_request: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "misdirected_request";
                };
            };
        };
        /** @description Problem (RFC 9457): `missing_token`, `invalid_token`, `token_revoked`. */
        "missing_token.invalid_token.token_revoked": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "missing_token" | "invalid_token" | "token_revoked";
                };
            };
        };
        /** @description Problem (RFC 9457): `missing_token`, `invalid_token`, `token_revoked`, `invalid_code`. */
        "missing_token.invalid_token.token_revoked.invalid_code": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "missing_token" | "invalid_token" | "token_revoked" | "invalid_code";
                };
            };
        };
        /** @description Problem (RFC 9457): `missing_token`, `invalid_token`, `token_revoked`, `invalid_code`, `invalid_ticket`. */
        "missing_token.invalid_token.token_revoked.invalid_code.invalid_ticket": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "missing_token" | "invalid_token" | "token_revoked" | "invalid_code" | "invalid_ticket";
                };
            };
        };
        /** @description Problem (RFC 9457): `missing_token`, `invalid_token`, `token_revoked`, `invalid_connect_ticket`. */
        "missing_token.invalid_token.token_revoked.invalid_connect_ticket": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "missing_token" | "invalid_token" | "token_revoked" | "invalid_connect_ticket";
                };
            };
        };
        /** @description Problem (RFC 9457): `missing_token`, `invalid_token`, `token_revoked`, `invalid_credentials`. */
        "missing_token.invalid_token.token_revoked.invalid_credentials": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "missing_token" | "invalid_token" | "token_revoked" | "invalid_credentials";
                };
            };
        };
        /** @description Problem (RFC 9457): `missing_token`, `invalid_token`, `token_revoked`, `invalid_ticket`. */
        "missing_token.invalid_token.token_revoked.invalid_ticket": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "missing_token" | "invalid_token" | "token_revoked" | "invalid_ticket";
                };
            };
        };
        /** @description Problem (RFC 9457): `missing_token`, `invalid_token`, `token_revoked`, `invalid_ticket`, `upstream_refused`. */
        "missing_token.invalid_token.token_revoked.invalid_ticket.upstream_refused": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "missing_token" | "invalid_token" | "token_revoked" | "invalid_ticket" | "upstream_refused";
                };
            };
        };
        /** @description Problem (RFC 9457): `missing_token`, `invalid_token`, `token_revoked`, `invalid_ticket`, `wallet_signature_invalid`. */
        "missing_token.invalid_token.token_revoked.invalid_ticket.wallet_signature_invalid": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "missing_token" | "invalid_token" | "token_revoked" | "invalid_ticket" | "wallet_signature_invalid";
                };
            };
        };
        /** @description Problem (RFC 9457): `network_unavailable`. */
        network_unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "network_unavailable";
                };
            };
        };
        /** @description Problem (RFC 9457): `no_price`, `price_too_old`. */
        "no_price.price_too_old": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "no_price" | "price_too_old";
                };
            };
        };
        /** @description Problem (RFC 9457): `node_taken`, `device_limit`. */
        "node_taken.device_limit": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "node_taken" | "device_limit";
                };
            };
        };
        /** @description Problem (RFC 9457): `not_found`. */
        not_found: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "not_found";
                };
            };
        };
        /** @description Problem (RFC 9457): `not_held`. */
        not_held: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "not_held";
                };
            };
        };
        /** @description Problem (RFC 9457): `not_paid_by_rules`, `not_provable`, `not_settled`. */
        "not_paid_by_rules.not_provable.not_settled": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "not_paid_by_rules" | "not_provable" | "not_settled";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_client_metadata`, `invalid_redirect_uri`, `invalid_request`. */
        "oauth-400.invalid_client_metadata.invalid_redirect_uri.invalid_request": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_client_metadata" | "invalid_redirect_uri" | "invalid_request";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_request`. */
        "oauth-400.invalid_request": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_request`, `invalid_client`. */
        "oauth-400.invalid_request.invalid_client": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_request" | "invalid_client";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_request`, `invalid_grant`, `unauthorized_client`, `invalid_scope`, `invalid_target`. */
        "oauth-400.invalid_request.invalid_grant.unauthorized_client.invalid_scope.invalid_target": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_request" | "invalid_grant" | "unauthorized_client" | "invalid_scope" | "invalid_target";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_request`, `invalid_grant`, `unauthorized_client`, `unsupported_grant_type`, `invalid_scope`, `invalid_target`, `invalid_dpop_proof`, `authorization_pending`, `slow_down`, `expired_token`, `access_denied`. */
        "oauth-400.invalid_request.invalid_grant.unauthorized_client.unsupported_grant_type.invalid_scope.invalid_target.invalid_dpop_proof.authorization_pending.slow_down.expired_token.access_denied": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_request" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "invalid_scope" | "invalid_target" | "invalid_dpop_proof" | "authorization_pending" | "slow_down" | "expired_token" | "access_denied";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_request`, `invalid_request_object`, `unauthorized_client`, `unsupported_response_type`, `unsupported_response_mode`, `invalid_scope`, `invalid_target`. */
        "oauth-400.invalid_request.invalid_request_object.unauthorized_client.unsupported_response_type.unsupported_response_mode.invalid_scope.invalid_target": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_request" | "invalid_request_object" | "unauthorized_client" | "unsupported_response_type" | "unsupported_response_mode" | "invalid_scope" | "invalid_target";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_request`, `unauthorized_client`, `invalid_scope`. */
        "oauth-400.invalid_request.unauthorized_client.invalid_scope": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_request" | "unauthorized_client" | "invalid_scope";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_request`, `unsupported_token_type`. */
        "oauth-400.invalid_request.unsupported_token_type": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_request" | "unsupported_token_type";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_client`. */
        "oauth-401.invalid_client": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_client";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_token`. */
        "oauth-401.invalid_token": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_token";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_request`. */
        "oauth-413.invalid_request": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `invalid_request`. */
        "oauth-415.invalid_request": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "invalid_request";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `temporarily_unavailable`. */
        "oauth-429.temporarily_unavailable": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "temporarily_unavailable";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `server_error`. */
        "oauth-500.server_error": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "server_error";
                };
            };
        };
        /** @description Error (RFC 6749, 5.2): `temporarily_unavailable`. */
        "oauth-503.temporarily_unavailable": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthProblem"] & {
                    /** @enum {string} */
                    error?: "temporarily_unavailable";
                };
            };
        };
        /** @description Problem (RFC 9457): `own_client`. */
        own_client: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "own_client";
                };
            };
        };
        /** @description Problem (RFC 9457): `payout_address_exists`, `payout_address_limit`. */
        "payout_address_exists.payout_address_limit": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "payout_address_exists" | "payout_address_limit";
                };
            };
        };
        /** @description Problem (RFC 9457): `payout_not_open`. */
        payout_not_open: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "payout_not_open";
                };
            };
        };
        /** @description Problem (RFC 9457): `payout_not_open`, `payout_stopped`, `payout_of_other_signer`, `payout_nonce_changed`. */
        "payout_not_open.payout_stopped.payout_of_other_signer.payout_nonce_changed": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "payout_not_open" | "payout_stopped" | "payout_of_other_signer" | "payout_nonce_changed";
                };
            };
        };
        /** @description Problem (RFC 9457): `payout_not_open`, `payout_stopped`, `payout_owner_inactive`, `payout_approved_by_caller`. */
        "payout_not_open.payout_stopped.payout_owner_inactive.payout_approved_by_caller": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "payout_not_open" | "payout_stopped" | "payout_owner_inactive" | "payout_approved_by_caller";
                };
            };
        };
        /** @description Problem (RFC 9457): `payout_unavailable`, `payout_below_minimum`, `payout_stopped`. */
        "payout_unavailable.payout_below_minimum.payout_stopped": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "payout_unavailable" | "payout_below_minimum" | "payout_stopped";
                };
            };
        };
        /** @description Problem (RFC 9457): `public_client`. */
        public_client: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "public_client";
                };
            };
        };
        /** @description Problem (RFC 9457): `quote_expired`, `payout_unavailable`, `payout_below_minimum`, `payout_stopped`. */
        "quote_expired.payout_unavailable.payout_below_minimum.payout_stopped": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "quote_expired" | "payout_unavailable" | "payout_below_minimum" | "payout_stopped";
                };
            };
        };
        /** @description Problem (RFC 9457): `rate_limited`. */
        rate_limited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "rate_limited";
                };
            };
        };
        /** @description Problem (RFC 9457): `rate_limited`, `connection_limit`. */
        "rate_limited.connection_limit": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "rate_limited" | "connection_limit";
                };
            };
        };
        /** @description Problem (RFC 9457): `rules_not_draft`. */
        rules_not_draft: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "rules_not_draft";
                };
            };
        };
        /** @description Problem (RFC 9457): `settlement_done`. */
        settlement_done: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "settlement_done";
                };
            };
        };
        /** @description Problem (RFC 9457): `token_mismatch`. */
        token_mismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "token_mismatch";
                };
            };
        };
        /** @description Problem (RFC 9457): `unavailable`. */
        unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "unavailable";
                };
            };
        };
        /** @description Problem (RFC 9457): `unavailable`, `chain_unreachable`. */
        "unavailable.chain_unreachable": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "unavailable" | "chain_unreachable";
                };
            };
        };
        /** @description Problem (RFC 9457): `unavailable`, `upstream_unreachable`. */
        "unavailable.upstream_unreachable": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "unavailable" | "upstream_unreachable";
                };
            };
        };
        /** @description Problem (RFC 9457): `unknown_user`. */
        unknown_user: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "unknown_user";
                };
            };
        };
        /** @description Problem (RFC 9457): `unsupported_media_type`. */
        unsupported_media_type: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description Problem (RFC 9457): `upgrade_required`. */
        upgrade_required: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "upgrade_required";
                };
            };
        };
        /** @description Problem (RFC 9457): `upstream_identity_taken`, `linked_account_limit`. */
        "upstream_identity_taken.linked_account_limit": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "upstream_identity_taken" | "linked_account_limit";
                };
            };
        };
        /** @description Problem (RFC 9457): `user_code_unknown`. */
        user_code_unknown: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "user_code_unknown";
                };
            };
        };
        /** @description Problem (RFC 9457): `wallet_exists`, `wallet_limit`. */
        "wallet_exists.wallet_limit": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "wallet_exists" | "wallet_limit";
                };
            };
        };
        /** @description Problem (RFC 9457): `webhook_limit`. */
        webhook_limit: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "webhook_limit";
                };
            };
        };
        /** @description Problem (RFC 9457): `wrong_token_kind`. */
        wrong_token_kind: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {string} */
                    code?: "wrong_token_kind";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The instance can serve. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                        /** @description Clock of this instance minus that of the database, in milliseconds. */
                        clock_offset_ms: number;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            /**
                             * @description The kind of the key.
                             * @enum {string}
                             */
                            kty: "RSA" | "EC" | "OKP";
                            /** @description Modulus of an RSA key. */
                            n?: string;
                            /** @description Exponent of an RSA key. */
                            e?: string;
                            /** @description Curve of the other kinds. */
                            crv?: string;
                            /** @description Coordinate on the curve. */
                            x?: string;
                            /** @description Coordinate on the curve P-256. */
                            y?: string;
                            /** @description RFC 7638 thumbprint; named in the header of each token. */
                            kid: string;
                            /** @enum {string} */
                            use: "sig";
                            /**
                             * @description RS256 signs all access tokens.
                             * @enum {string}
                             */
                            alg: "RS256" | "ES256" | "EdDSA";
                        }[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            421: components["responses"]["misdirected_request"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the image. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description PNG, JPEG or WebP. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                };
            };
            400: components["responses"]["malformed_request"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDeviceRequest: {
        parameters: {
            query: {
                /** @description As the device shows it; case and hyphens do not matter. */
                user_code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The device that waits under a code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_code: string;
                        client_id: string;
                        client_name: string;
                        first_party: boolean;
                        scopes: {
                            name: string;
                            description: string;
                        }[];
                        /** @description Traffic categories that the device requests (`device_categories`). */
                        categories: string[];
                        /** @description Address that the device sent the request from. */
                        device_ip?: string;
                        device_user_agent?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["user_code_unknown"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decideDeviceRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As the device shows it; case and hyphens do not matter. */
                    user_code: string;
                    /**
                     * @description Decision of the user.
                     * @enum {string}
                     */
                    decision: "allow" | "deny";
                    /** @description Allowed scopes; default: all requested ones. */
                    scopes?: string[];
                    /** @description Granted traffic categories; default: all requested ones. */
                    categories?: string[];
                };
            };
        };
        responses: {
            /** @description Decided. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["user_code_unknown"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getConsent: {
        parameters: {
            query: {
                /** @description As the authorization page got it. */
                interaction_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What an application requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        interaction_id: string;
                        client_id: string;
                        /** @description Name of the application. */
                        client_name: string;
                        /** @description The operator's own application. */
                        first_party: boolean;
                        /** @description Where the browser is sent after the decision. */
                        redirect_uri: string;
                        /** @description Path of the logo of the application at this service: an image. */
                        logo?: string;
                        /** @description Privacy policy of the application: https. */
                        policy_uri?: string;
                        /** @description Its terms of service: https. */
                        tos_uri?: string;
                        scopes: {
                            name: string;
                            /** @description What the scope permits. */
                            description: string;
                        }[];
                        /** @description Traffic categories that the device requests (`device_categories`). */
                        categories: string[];
                        /** @description The user granted all of it before, or the application is first-party: the page may continue without asking. Never on loopback, nor with `prompt=consent`. */
                        allowed_already: boolean;
                        /** @description The application requires a newer or stronger sign-in than that of this token, or another user. */
                        must_sign_in_again: boolean;
                        login_hint?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["interaction_expired"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decideConsent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As the authorization page got it. */
                    interaction_id: string;
                    /**
                     * @description Decision of the user.
                     * @enum {string}
                     */
                    decision: "allow" | "deny";
                    /** @description Allowed scopes; default: all requested ones. */
                    scopes?: string[];
                    /** @description Granted traffic categories; default: all requested ones. */
                    categories?: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description URL where the browser that started the request continues; contains a one-time ticket. */
                        redirect_to: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required.unmet_authentication_requirements"];
            404: components["responses"]["interaction_expired"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAuthorizationState: {
        parameters: {
            query: {
                /** @description As the authorization page got it; any other value is reported as not waiting. */
                interaction_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The user can still decide. */
                        waiting: boolean;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listConnections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connections: {
                            client_id: string;
                            client_name: string;
                            first_party: boolean;
                            /** @description Path of the logo of the application at this service: an image. */
                            logo?: string;
                            scopes: {
                                name: string;
                                description: string;
                            }[];
                            /** @description No new consent is needed for these scopes. */
                            remembered: boolean;
                            /**
                             * Format: date-time
                             * @description First consent.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description Last consent.
                             */
                            updated_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The application. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus text format. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `id` of the last event received; the stream continues after it. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the webhook. */
                        id: number;
                        /** @description https address that messages are posted to. Redirects are not followed; no fragment, no user name. */
                        url: string;
                        /** @description For people. */
                        description: string;
                        /** @description Types to send, for example `deposit.credited`, or `deposit.*` for all of a kind. A name that no event has is refused. Empty: all. */
                        event_types: string[];
                        /** @description False: nothing is sent; what happens meanwhile is sent when it is switched on, as far as events are kept. */
                        active: boolean;
                        /** @description Why the service switched it off. */
                        disabled_reason?: string;
                        /** @description Stable code of `disabled_reason`, absent where an operator wrote the text. More may be added: answered. */
                        disabled_reason_code?: string;
                        /** @description Values in `disabled_reason` by name: numbers, currencies and the like; absent without any. */
                        disabled_reason_values?: {
                            [key: string]: string;
                        };
                        /** @description Messages that wait for their next attempt. */
                        pending: number;
                        /** @description Messages given up; they can be redelivered for 30 days. */
                        dead: number;
                        /**
                         * Format: date-time
                         * @description When it was made.
                         */
                        created_at: string;
                    }[];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https address that messages are posted to. Redirects are not followed; no fragment, no user name. */
                    url: string;
                    /** @description For people. */
                    description?: string;
                    /** @description Types to send, for example `deposit.credited`, or `deposit.*` for all of a kind. A name that no event has is refused. Empty: all. */
                    event_types?: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the webhook. */
                        id: number;
                        /** @description https address that messages are posted to. Redirects are not followed; no fragment, no user name. */
                        url: string;
                        /** @description For people. */
                        description: string;
                        /** @description Types to send, for example `deposit.credited`, or `deposit.*` for all of a kind. A name that no event has is refused. Empty: all. */
                        event_types: string[];
                        /** @description False: nothing is sent; what happens meanwhile is sent when it is switched on, as far as events are kept. */
                        active: boolean;
                        /** @description Why the service switched it off. */
                        disabled_reason?: string;
                        /** @description Stable code of `disabled_reason`, absent where an operator wrote the text. More may be added: answered. */
                        disabled_reason_code?: string;
                        /** @description Values in `disabled_reason` by name: numbers, currencies and the like; absent without any. */
                        disabled_reason_values?: {
                            [key: string]: string;
                        };
                        /** @description Messages that wait for their next attempt. */
                        pending: number;
                        /** @description Messages given up; they can be redelivered for 30 days. */
                        dead: number;
                        /**
                         * Format: date-time
                         * @description When it was made.
                         */
                        created_at: string;
                    } & {
                        /** @description Signing secret, `whsec_…` (Standard Webhooks). Shown only now. */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            409: components["responses"]["webhook_limit"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the webhook. */
                        id: number;
                        /** @description https address that messages are posted to. Redirects are not followed; no fragment, no user name. */
                        url: string;
                        /** @description For people. */
                        description: string;
                        /** @description Types to send, for example `deposit.credited`, or `deposit.*` for all of a kind. A name that no event has is refused. Empty: all. */
                        event_types: string[];
                        /** @description False: nothing is sent; what happens meanwhile is sent when it is switched on, as far as events are kept. */
                        active: boolean;
                        /** @description Why the service switched it off. */
                        disabled_reason?: string;
                        /** @description Stable code of `disabled_reason`, absent where an operator wrote the text. More may be added: answered. */
                        disabled_reason_code?: string;
                        /** @description Values in `disabled_reason` by name: numbers, currencies and the like; absent without any. */
                        disabled_reason_values?: {
                            [key: string]: string;
                        };
                        /** @description Messages that wait for their next attempt. */
                        pending: number;
                        /** @description Messages given up; they can be redelivered for 30 days. */
                        dead: number;
                        /**
                         * Format: date-time
                         * @description When it was made.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https address that messages are posted to. Redirects are not followed; no fragment, no user name. */
                    url?: string;
                    /** @description For people. */
                    description?: string;
                    /** @description Types to send, for example `deposit.credited`, or `deposit.*` for all of a kind. A name that no event has is refused. Empty: all. */
                    event_types?: string[];
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the webhook. */
                        id: number;
                        /** @description https address that messages are posted to. Redirects are not followed; no fragment, no user name. */
                        url: string;
                        /** @description For people. */
                        description: string;
                        /** @description Types to send, for example `deposit.credited`, or `deposit.*` for all of a kind. A name that no event has is refused. Empty: all. */
                        event_types: string[];
                        /** @description False: nothing is sent; what happens meanwhile is sent when it is switched on, as far as events are kept. */
                        active: boolean;
                        /** @description Why the service switched it off. */
                        disabled_reason?: string;
                        /** @description Stable code of `disabled_reason`, absent where an operator wrote the text. More may be added: answered. */
                        disabled_reason_code?: string;
                        /** @description Values in `disabled_reason` by name: numbers, currencies and the like; absent without any. */
                        disabled_reason_values?: {
                            [key: string]: string;
                        };
                        /** @description Messages that wait for their next attempt. */
                        pending: number;
                        /** @description Messages given up; they can be redelivered for 30 days. */
                        dead: number;
                        /**
                         * Format: date-time
                         * @description When it was made.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the webhook. */
                        id: number;
                        /** @description https address that messages are posted to. Redirects are not followed; no fragment, no user name. */
                        url: string;
                        /** @description For people. */
                        description: string;
                        /** @description Types to send, for example `deposit.credited`, or `deposit.*` for all of a kind. A name that no event has is refused. Empty: all. */
                        event_types: string[];
                        /** @description False: nothing is sent; what happens meanwhile is sent when it is switched on, as far as events are kept. */
                        active: boolean;
                        /** @description Why the service switched it off. */
                        disabled_reason?: string;
                        /** @description Stable code of `disabled_reason`, absent where an operator wrote the text. More may be added: answered. */
                        disabled_reason_code?: string;
                        /** @description Values in `disabled_reason` by name: numbers, currencies and the like; absent without any. */
                        disabled_reason_values?: {
                            [key: string]: string;
                        };
                        /** @description Messages that wait for their next attempt. */
                        pending: number;
                        /** @description Messages given up; they can be redelivered for 30 days. */
                        dead: number;
                        /**
                         * Format: date-time
                         * @description When it was made.
                         */
                        created_at: string;
                    } & {
                        /** @description Signing secret, `whsec_…` (Standard Webhooks). Shown only now. */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the delivery. */
                        delivery_id: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query: {
                /** @description Only deliveries in this state. */
                state?: "pending" | "delivered" | "dead";
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty. At most 10000 are counted and reachable; deeper pages are 400 `too_deep`: narrow the filter. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            /** @description Id of the delivery; the message carries it as `webhook-id: msg_ID`. */
                            id: number;
                            /** @description Type of the event. */
                            type: string;
                            /**
                             * @description Whether it waits, was delivered or was given up.
                             * @enum {string}
                             */
                            state: "pending" | "delivered" | "dead";
                            /** @description Attempts altogether; sending it again continues the count. */
                            attempts: number;
                            /** @description HTTP status of the last answer. */
                            last_status?: number;
                            /** @description Why the last attempt failed. */
                            last_error?: string;
                            /** @description Stable code of `last_error`, absent where an operator wrote the text. More may be added: answered, timeout, redirected, answer_too_large, connection_failed, unreachable, unresolvable, address_refused, not_https, malformed_url. */
                            last_error_code?: string;
                            /** @description Values in `last_error` by name: numbers, currencies and the like; absent without any. */
                            last_error_values?: {
                                [key: string]: string;
                            };
                            /**
                             * Format: date-time
                             * @description When it is tried next.
                             */
                            next_attempt_at?: string;
                            /**
                             * Format: date-time
                             * @description When the receiver accepted it.
                             */
                            delivered_at?: string;
                            /**
                             * Format: date-time
                             * @description When it was queued.
                             */
                            created_at: string;
                        }[];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                        /** @description True for more than 10000 records; `total` is then 10000. */
                        is_capped?: boolean;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    redeliverMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
                /** @description Id of the delivery. */
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the delivery. */
                        delivery_id: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    redeliverDeadLetters: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Dead letters queued from then on.
                     */
                    since: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many are sent again. */
                        queued: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startRegistration: {
        parameters: {
            query?: never;
            header?: {
                /** @description The solution of the challenge that `challenge_required` carries. Of `challenge_type` `proof_of_work`: what ALTCHA’s widget submits, base64 of the JSON `{challenge, solution}`. Of `turnstile` and `hcaptcha`: the token of the widget. */
                "Challenge-Solution"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Email address. */
                    email: string;
                    /** @description MD5 of the password, 32 hex digits. */
                    login_password: string;
                    /** @description 1 to 40 characters. */
                    nickname: string;
                    /** @description Referrer’s code, case-insensitive; permanent. */
                    referral_code?: string;
                };
            };
        };
        responses: {
            /** @description A code is mailed to the address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        email: string;
                        /** @description One-time ticket of the previous step. */
                        register_ticket: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            403: components["responses"]["challenge_required"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Email address. */
                    email: string;
                    /** @description One-time ticket of the previous step. */
                    register_ticket: string;
                    /** @description The six digits of the mail. */
                    validate_code: string;
                };
            };
        };
        responses: {
            /** @description The account exists. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The new user. */
                        user_id: number;
                        email: string;
                        nickname: string;
                        /** @description Code for the users that this user refers. */
                        referral_code: string;
                        /** @description The registration ticket, now a login ticket for two minutes: `/user/login/2fa` accepts it with method EMAIL and the same code. */
                        login_ticket: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["invalid_code.invalid_ticket"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startLogin: {
        parameters: {
            query?: never;
            header?: {
                /** @description The solution of the challenge that `challenge_required` carries. Of `challenge_type` `proof_of_work`: what ALTCHA’s widget submits, base64 of the JSON `{challenge, solution}`. Of `turnstile` and `hcaptcha`: the token of the widget. */
                "Challenge-Solution"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Email address. */
                    email: string;
                    /** @description MD5 of the password, 32 hex digits. */
                    login_password: string;
                };
            };
        };
        responses: {
            /** @description The password is right; a second factor is required. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Always true. */
                        need_two_factor: boolean;
                        /** @description One-time ticket of the previous step. */
                        login_ticket: string;
                        /** @description Masked address. */
                        email: string;
                        /** @description The second factors that the user can use now. */
                        two_factor_methods: ("EMAIL" | "AUTHENTICATOR" | "PASSKEY")[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["invalid_credentials"];
            403: components["responses"]["challenge_required"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendLoginCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The solution of the challenge that `challenge_required` carries. Of `challenge_type` `proof_of_work`: what ALTCHA’s widget submits, base64 of the JSON `{challenge, solution}`. Of `turnstile` and `hcaptcha`: the token of the widget. */
                "Challenge-Solution"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Email address. */
                    email: string;
                    /** @description One-time ticket of the previous step. */
                    login_ticket: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.method_unavailable"];
            401: components["responses"]["invalid_ticket"];
            403: components["responses"]["challenge_required"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createLoginPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Email address. */
                    email: string;
                    /** @description One-time ticket of the previous step. */
                    login_ticket: string;
                };
            };
        };
        responses: {
            /** @description Options for the browser’s WebAuthn call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.method_unavailable"];
            401: components["responses"]["invalid_ticket"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Email address. */
                    email: string;
                    /** @description One-time ticket of the previous step. */
                    login_ticket: string;
                    /**
                     * @description Second factor.
                     * @enum {string}
                     */
                    method: "EMAIL" | "AUTHENTICATOR" | "PASSKEY";
                    /** @description The six digits of the mail. */
                    validate_code?: string;
                    /** @description The six digits of the authenticator. */
                    authenticator_code?: string;
                    /** @description A recovery code, instead of a lost authenticator or passkey. */
                    recovery_code?: string;
                    /** @description The PublicKeyCredential of `navigator.credentials.get`, as its `toJSON()` gives it. */
                    passkey_credential?: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            authenticatorData: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                        authenticatorAttachment?: string | null;
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Token of the signed-in user. */
                        access_token: string;
                        /** @description Token that connects a device; valid as long as the access token. */
                        device_token: string;
                        /** @description When both tokens expire: Unix time in seconds. */
                        expire: number;
                        /** @description Email address. */
                        email: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.method_unavailable"];
            401: components["responses"]["invalid_code.invalid_ticket"];
            403: components["responses"]["account_disabled"];
            409: components["responses"]["linked_account_limit"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The caller’s own user id. */
                    id: number;
                    /** @description End all sessions and offline grants, not only this session. */
                    everywhere?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.not_own_account"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startPasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The solution of the challenge that `challenge_required` carries. Of `challenge_type` `proof_of_work`: what ALTCHA’s widget submits, base64 of the JSON `{challenge, solution}`. Of `turnstile` and `hcaptcha`: the token of the widget. */
                "Challenge-Solution"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Email address. */
                    email: string;
                };
            };
        };
        responses: {
            /** @description If the address has an account, a code is mailed to it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        email: string;
                        /** @description One-time ticket of the previous step. */
                        reset_ticket: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            403: components["responses"]["challenge_required"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description With `login_password` the new password is checked too; if it is refused, the code stays usable. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Email address. */
                    email: string;
                    /** @description One-time ticket of the previous step. */
                    reset_ticket: string;
                    /** @description The six digits of the mail. */
                    validate_code: string;
                    /** @description MD5 of the password, 32 hex digits. */
                    login_password?: string;
                };
            };
        };
        responses: {
            /** @description The mailbox is verified. A second factor is required too, unless EMAIL is the only one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        need_two_factor: boolean;
                        /** @description The second factors that the user can use now. */
                        two_factor_methods: ("EMAIL" | "AUTHENTICATOR" | "PASSKEY")[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["invalid_code.invalid_ticket"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createResetPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Email address. */
                    email: string;
                    /** @description One-time ticket of the previous step. */
                    reset_ticket: string;
                };
            };
        };
        responses: {
            /** @description Options for the browser’s WebAuthn call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.method_unavailable"];
            401: components["responses"]["invalid_ticket"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    completePasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Email address. */
                    email: string;
                    /** @description One-time ticket of the previous step. */
                    reset_ticket: string;
                    /** @description MD5 of the password, 32 hex digits. */
                    login_password: string;
                    /**
                     * @description Second factor.
                     * @enum {string}
                     */
                    method?: "EMAIL" | "AUTHENTICATOR" | "PASSKEY";
                    /** @description The six digits of the mail. */
                    validate_code?: string;
                    /** @description The six digits of the authenticator. */
                    authenticator_code?: string;
                    /** @description A recovery code, instead of a lost authenticator or passkey. */
                    recovery_code?: string;
                    /** @description The PublicKeyCredential of `navigator.credentials.get`, as its `toJSON()` gives it. */
                    passkey_credential?: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            authenticatorData: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                        authenticatorAttachment?: string | null;
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.method_unavailable"];
            401: components["responses"]["invalid_code.invalid_ticket"];
            403: components["responses"]["account_disabled"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed-in user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The user. */
                        user_id: number;
                        email: string;
                        nickname: string;
                        /** @description Code for the users that this user refers. */
                        referral_code: string;
                        /** @description The referrer. */
                        referrer_id?: number;
                        /** @description The second factors that the user can use now. */
                        two_factor_methods: ("EMAIL" | "AUTHENTICATOR" | "PASSKEY")[];
                        /**
                         * Format: date-time
                         * @description When the account was created.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 40 characters. */
                    nickname: string;
                };
            };
        };
        responses: {
            /** @description The signed-in user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The user. */
                        user_id: number;
                        email: string;
                        nickname: string;
                        /** @description Code for the users that this user refers. */
                        referral_code: string;
                        /** @description The referrer. */
                        referrer_id?: number;
                        /** @description The second factors that the user can use now. */
                        two_factor_methods: ("EMAIL" | "AUTHENTICATOR" | "PASSKEY")[];
                        /**
                         * Format: date-time
                         * @description When the account was created.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startReauthentication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description MD5 of the password, 32 hex digits. */
                    login_password: string;
                };
            };
        };
        responses: {
            /** @description The password is right; a second factor is required. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Always true. */
                        need_two_factor: boolean;
                        /** @description One-time ticket of the previous step. */
                        login_ticket: string;
                        /** @description Masked address. */
                        email: string;
                        /** @description The second factors that the user can use now. */
                        two_factor_methods: ("EMAIL" | "AUTHENTICATOR" | "PASSKEY")[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked.invalid_credentials"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendReauthenticationCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One-time ticket of the previous step. */
                    login_ticket: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.method_unavailable"];
            401: components["responses"]["missing_token.invalid_token.token_revoked.invalid_ticket"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createReauthenticationPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One-time ticket of the previous step. */
                    login_ticket: string;
                };
            };
        };
        responses: {
            /** @description Options for the browser’s WebAuthn call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.method_unavailable"];
            401: components["responses"]["missing_token.invalid_token.token_revoked.invalid_ticket"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishReauthentication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One-time ticket of the previous step. */
                    login_ticket: string;
                    /**
                     * @description Second factor.
                     * @enum {string}
                     */
                    method: "EMAIL" | "AUTHENTICATOR" | "PASSKEY";
                    /** @description The six digits of the mail. */
                    validate_code?: string;
                    /** @description The six digits of the authenticator. */
                    authenticator_code?: string;
                    /** @description A recovery code, instead of a lost authenticator or passkey. */
                    recovery_code?: string;
                    /** @description The PublicKeyCredential of `navigator.credentials.get`, as its `toJSON()` gives it. */
                    passkey_credential?: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            authenticatorData: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                        authenticatorAttachment?: string | null;
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Password and second factor are verified. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Until then this session may change security settings.
                         */
                        fresh_until: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.method_unavailable"];
            401: components["responses"]["missing_token.invalid_token.token_revoked.invalid_code.invalid_ticket"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.account_disabled"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description MD5 of the password, 32 hex digits. */
                    login_password: string;
                    /** @description MD5 of the password, 32 hex digits. */
                    new_login_password: string;
                    /** @description End all other sessions. Default: true. */
                    end_other_sessions?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked.invalid_credentials"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Email address. */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Codes are mailed to both addresses. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        email: string;
                        /** @description One-time ticket of the previous step. */
                        email_ticket: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One-time ticket of the previous step. */
                    email_ticket: string;
                    /** @description The six digits of the mail. */
                    validate_code: string;
                    /** @description The six digits of the mail. */
                    new_validate_code: string;
                };
            };
        };
        responses: {
            /** @description The signed-in user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The user. */
                        user_id: number;
                        email: string;
                        nickname: string;
                        /** @description Code for the users that this user refers. */
                        referral_code: string;
                        /** @description The referrer. */
                        referrer_id?: number;
                        /** @description The second factors that the user can use now. */
                        two_factor_methods: ("EMAIL" | "AUTHENTICATOR" | "PASSKEY")[];
                        /**
                         * Format: date-time
                         * @description When the account was created.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked.invalid_code.invalid_ticket"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    closeAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description MD5 of the password, 32 hex digits. */
                    login_password: string;
                    /** @description Close although a wallet holds money, which is given up, or although money is owed. */
                    abandon_balance?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked.invalid_credentials"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["account_not_empty"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Live sessions, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: {
                            /** @description Session. */
                            sid: string;
                            /** @description The session of the token presented. */
                            is_current: boolean;
                            /** @description Application of the session. */
                            client_id?: string;
                            /** @description How the user signed in (RFC 8176). */
                            amr: string[];
                            ip: string;
                            user_agent: string;
                            /**
                             * Format: date-time
                             * @description When the user signed in.
                             */
                            auth_time: string;
                            /**
                             * Format: date-time
                             * @description When it was created.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it expires.
                             */
                            expires_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Session. */
                sid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The other sessions ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of ended sessions. */
                        ended: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSecurityEvents: {
        parameters: {
            query: {
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty and carries the true total. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            id: number;
                            /**
                             * @description What happened.
                             * @enum {string}
                             */
                            type: "registered" | "signed_in" | "sign_in_failed" | "second_factor_failed" | "signed_out" | "signed_out_everywhere" | "session_ended" | "other_sessions_ended" | "reauthenticated" | "authenticator_enrolled" | "authenticator_removed" | "passkey_added" | "passkey_removed" | "recovery_codes_made" | "recovery_code_used" | "email_factor_changed" | "password_changed" | "password_reset_requested" | "password_reset" | "email_change_requested" | "email_changed" | "upstream_linked" | "upstream_unlinked" | "nickname_changed" | "account_disabled" | "account_enabled" | "account_closed" | "application_allowed" | "application_denied" | "application_shut_out" | "device_allowed" | "device_denied" | "token_exchanged" | "payout_address_added" | "payout_address_removed" | "payout_requested" | "data_exported";
                            /** @description Network address. */
                            ip: string;
                            /** @description User agent. */
                            user_agent: string;
                            /** @description Values of the event, by type. */
                            details: {
                                [key: string]: unknown;
                            };
                            /**
                             * Format: date-time
                             * @description When it happened.
                             */
                            created_at: string;
                        }[];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRelatedOrigins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Origins that may use the passkeys of this host (WebAuthn 3, related origins). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        origins: string[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            421: components["responses"]["misdirected_request"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSecondFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Second factors of the signed-in user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The second factors that the user can use now. */
                        two_factor_methods: ("EMAIL" | "AUTHENTICATOR" | "PASSKEY")[];
                        has_authenticator: boolean;
                        passkeys: {
                            /** @description Passkey. */
                            id: number;
                            name: string;
                            /** @description Synchronized between devices; otherwise bound to one. */
                            is_synced: boolean;
                            /**
                             * Format: date-time
                             * @description When it was added.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it last signed in.
                             */
                            last_used_at?: string;
                        }[];
                        recovery_codes_left: number;
                        /** @description EMAIL is allowed beside a strong factor. */
                        is_email_factor_on: boolean;
                        /**
                         * Format: date-time
                         * @description EMAIL is not accepted before this time, after a reset by email.
                         */
                        email_factor_barred_until?: string;
                        /**
                         * Format: date-time
                         * @description Conversion and withdrawal are frozen until then.
                         */
                        money_frozen_until?: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startAuthenticatorEnrolment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A new secret; its first code enrols it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Base32, for typing. */
                        secret: string;
                        /** @description For a QR code. */
                        otpauth_uri: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["already_enrolled"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmAuthenticator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The six digits of the authenticator. */
                    authenticator_code: string;
                    /** @description End all other sessions. */
                    end_other_sessions?: boolean;
                };
            };
        };
        responses: {
            /** @description The factor is enrolled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Shown once, with the first strong factor. */
                        recovery_codes?: string[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked.invalid_code"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["already_enrolled"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeAuthenticator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description End all other sessions. */
                    end_other_sessions?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Options for the browser’s WebAuthn call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name, 1 to 64 characters. */
                    name: string;
                    /** @description The PublicKeyCredential of `navigator.credentials.create`, as its `toJSON()` gives it. */
                    passkey_credential: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            attestationObject: string;
                            authenticatorData?: string;
                            publicKey?: string;
                            publicKeyAlgorithm?: number;
                            transports?: string[];
                        };
                        authenticatorAttachment?: string | null;
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                    };
                    /** @description End all other sessions. */
                    end_other_sessions?: boolean;
                };
            };
        };
        responses: {
            /** @description The factor is enrolled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Shown once, with the first strong factor. */
                        recovery_codes?: string[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["already_enrolled"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Passkey. */
                id: number;
            };
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description End all other sessions. */
                    end_other_sessions?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shown once; they replace earlier codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recovery_codes: string[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.method_unavailable"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateEmailFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Allow EMAIL beside a strong factor. */
                    enabled: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.method_unavailable"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSignInProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description By id. */
                        providers: {
                            /** @description Id of the provider: lower-case letters, digits and hyphens. */
                            id: string;
                            /** @description Name of the provider. */
                            label: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startUpstreamSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the provider: lower-case letters, digits and hyphens. */
                    provider: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where the browser goes. It can be used for 15 minutes, by this browser only. */
                        authorization_url: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable.upstream_unreachable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishUpstreamSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the provider: lower-case letters, digits and hyphens. */
                    provider: string;
                    /** @description As the provider returned it. */
                    state: string;
                    /** @description The authorization code. */
                    code: string;
                    /** @description The issuer, if it was returned (RFC 9207). */
                    iss?: string;
                };
            };
        };
        responses: {
            /** @description `next` says what follows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        next: "second_factor";
                        /** @enum {boolean} */
                        need_two_factor: true;
                        /** @description One-time ticket of the previous step. */
                        login_ticket: string;
                        /** @description Address of the account. */
                        email: string;
                        /** @description The second factors that the user can use now. */
                        two_factor_methods: ("EMAIL" | "AUTHENTICATOR" | "PASSKEY")[];
                    } | {
                        /** @enum {string} */
                        next: "signed_in";
                        /** @description Token of the signed-in user. */
                        access_token: string;
                        /** @description Token that connects a device; valid as long as the access token. */
                        device_token: string;
                        /** @description When both tokens expire: Unix time in seconds. */
                        expire: number;
                        /** @description Email address. */
                        email: string;
                    } | {
                        /** @enum {string} */
                        next: "registration";
                        /** @description For 20 minutes, in this browser only. */
                        registration_ticket: string;
                        /** @description The address that the provider has verified. */
                        email: string;
                        /** @description As the provider names the person; may be empty. */
                        name: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["invalid_ticket.upstream_refused"];
            403: components["responses"]["account_disabled.upstream_email_unverified"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable.upstream_unreachable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    registerUpstream: {
        parameters: {
            query?: never;
            header?: {
                /** @description The solution of the challenge that `challenge_required` carries. Of `challenge_type` `proof_of_work`: what ALTCHA’s widget submits, base64 of the JSON `{challenge, solution}`. Of `turnstile` and `hcaptcha`: the token of the widget. */
                "Challenge-Solution"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    registration_ticket: string;
                    /** @description 1 to 40 characters. */
                    nickname: string;
                    /** @description Referrer’s code, case-insensitive; permanent. */
                    referral_code?: string;
                };
            };
        };
        responses: {
            /** @description A code is mailed to the address. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        email: string;
                        /** @description One-time ticket of the previous step. */
                        register_ticket: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["invalid_ticket"];
            403: components["responses"]["challenge_required"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUpstreamIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description False: the account was created with another provider. A reset sets a password, which changes of the account ask for. */
                        has_password: boolean;
                        /** @description Oldest first. */
                        identities: {
                            /** @description The linked account. */
                            id: number;
                            /** @description Name of the provider. */
                            name: string;
                            /** @description Its issuer identifier; of a wallet the namespace, `eip155` or `solana`. */
                            issuer: string;
                            /** @description As the provider named it at last. */
                            email?: string;
                            /** @description Address of a wallet. */
                            address?: string;
                            /**
                             * Format: date-time
                             * @description When it was linked.
                             */
                            linked_at: string;
                            /**
                             * Format: date-time
                             * @description The last sign-in with it.
                             */
                            last_used_at: string;
                        }[];
                        /** @description By id. */
                        providers: {
                            /** @description Id of the provider: lower-case letters, digits and hyphens. */
                            id: string;
                            /** @description Name of the provider. */
                            label: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    linkUpstreamIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the provider: lower-case letters, digits and hyphens. */
                    provider: string;
                    /** @description As the provider returned it. */
                    state: string;
                    /** @description The authorization code. */
                    code: string;
                    /** @description The issuer, if it was returned (RFC 9207). */
                    iss?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description False: the account was created with another provider. A reset sets a password, which changes of the account ask for. */
                        has_password: boolean;
                        /** @description Oldest first. */
                        identities: {
                            /** @description The linked account. */
                            id: number;
                            /** @description Name of the provider. */
                            name: string;
                            /** @description Its issuer identifier; of a wallet the namespace, `eip155` or `solana`. */
                            issuer: string;
                            /** @description As the provider named it at last. */
                            email?: string;
                            /** @description Address of a wallet. */
                            address?: string;
                            /**
                             * Format: date-time
                             * @description When it was linked.
                             */
                            linked_at: string;
                            /**
                             * Format: date-time
                             * @description The last sign-in with it.
                             */
                            last_used_at: string;
                        }[];
                        /** @description By id. */
                        providers: {
                            /** @description Id of the provider: lower-case letters, digits and hyphens. */
                            id: string;
                            /** @description Name of the provider. */
                            label: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked.invalid_ticket.upstream_refused"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["upstream_identity_taken.linked_account_limit"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable.upstream_unreachable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startUpstreamLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of the provider: lower-case letters, digits and hyphens. */
                    provider: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where the browser goes. It can be used for 15 minutes, by this browser only. */
                        authorization_url: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable.upstream_unreachable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unlinkUpstreamIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Linked account. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["last_sign_in_method"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startWalletSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Ethereum and its kin, or Solana.
                     * @enum {string}
                     */
                    chain: "ethereum" | "solana";
                    /** @description The address that signs: hex that begins with 0x, or base58. */
                    address: string;
                    /** @description The chain of a contract wallet (EIP-155), whose signature needs a network of that chain at this service. Default: 1. */
                    chain_id?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Sent back with the signature, within ten minutes. */
                        challenge: string;
                        /** @description What the wallet signs (EIP-4361): by `personal_sign`, or as UTF-8 by ed25519. */
                        message: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishWalletSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    challenge: string;
                    /** @description In hex: 65 bytes of a key, 64 of ed25519, or what a contract wallet gives. */
                    signature: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        next: "second_factor";
                        /** @enum {boolean} */
                        need_two_factor: true;
                        /** @description One-time ticket of the previous step. */
                        login_ticket: string;
                        /** @description Address of the account. */
                        email: string;
                        /** @description The second factors that the user can use now. */
                        two_factor_methods: ("EMAIL" | "AUTHENTICATOR" | "PASSKEY")[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["invalid_ticket.wallet_signature_invalid"];
            403: components["responses"]["account_disabled.wallet_unknown"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startWalletLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Ethereum and its kin, or Solana.
                     * @enum {string}
                     */
                    chain: "ethereum" | "solana";
                    /** @description The address that signs: hex that begins with 0x, or base58. */
                    address: string;
                    /** @description The chain of a contract wallet (EIP-155), whose signature needs a network of that chain at this service. Default: 1. */
                    chain_id?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Sent back with the signature, within ten minutes. */
                        challenge: string;
                        /** @description What the wallet signs (EIP-4361): by `personal_sign`, or as UTF-8 by ed25519. */
                        message: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    linkWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    challenge: string;
                    /** @description In hex: 65 bytes of a key, 64 of ed25519, or what a contract wallet gives. */
                    signature: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description False: the account was created with another provider. A reset sets a password, which changes of the account ask for. */
                        has_password: boolean;
                        /** @description Oldest first. */
                        identities: {
                            /** @description The linked account. */
                            id: number;
                            /** @description Name of the provider. */
                            name: string;
                            /** @description Its issuer identifier; of a wallet the namespace, `eip155` or `solana`. */
                            issuer: string;
                            /** @description As the provider named it at last. */
                            email?: string;
                            /** @description Address of a wallet. */
                            address?: string;
                            /**
                             * Format: date-time
                             * @description When it was linked.
                             */
                            linked_at: string;
                            /**
                             * Format: date-time
                             * @description The last sign-in with it.
                             */
                            last_used_at: string;
                        }[];
                        /** @description By id. */
                        providers: {
                            /** @description Id of the provider: lower-case letters, digits and hyphens. */
                            id: string;
                            /** @description Name of the provider. */
                            label: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked.invalid_ticket.wallet_signature_invalid"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            409: components["responses"]["upstream_identity_taken.linked_account_limit"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query: {
                /** @description Substring of address or nickname; of fewer than three characters, how either begins. */
                keyword?: string;
                /** @description Only people of this status. */
                status?: "active" | "disabled" | "closed";
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty. At most 10000 are counted and reachable; deeper pages are 400 `too_deep`: narrow the filter. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            /** @description The person. */
                            user_id: number;
                            email: string;
                            nickname: string;
                            referral_code: string;
                            /** @description Who brought this person. */
                            referrer_id?: number;
                            /**
                             * @description Disabled people cannot sign in; closed accounts are gone for good.
                             * @enum {string}
                             */
                            status: "active" | "disabled" | "closed";
                            /** @description Groups, in the claim `groups`. */
                            groups: string[];
                            /** @description Second factors; on a single person only. */
                            two_factor_methods?: string[];
                            /**
                             * Format: date-time
                             * @description When the account was made.
                             */
                            created_at: string;
                        }[];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                        /** @description True for more than 10000 records; `total` is then 10000. */
                        is_capped?: boolean;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The person. */
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The person. */
                        user_id: number;
                        email: string;
                        nickname: string;
                        referral_code: string;
                        /** @description Who brought this person. */
                        referrer_id?: number;
                        /**
                         * @description Disabled people cannot sign in; closed accounts are gone for good.
                         * @enum {string}
                         */
                        status: "active" | "disabled" | "closed";
                        /** @description Groups, in the claim `groups`. */
                        groups: string[];
                        /** @description Second factors; on a single person only. */
                        two_factor_methods?: string[];
                        /**
                         * Format: date-time
                         * @description When the account was made.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setUserGroups: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The person. */
                user_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description All groups of the person. */
                    groups: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The person. */
                        user_id: number;
                        email: string;
                        nickname: string;
                        referral_code: string;
                        /** @description Who brought this person. */
                        referrer_id?: number;
                        /**
                         * @description Disabled people cannot sign in; closed accounts are gone for good.
                         * @enum {string}
                         */
                        status: "active" | "disabled" | "closed";
                        /** @description Groups, in the claim `groups`. */
                        groups: string[];
                        /** @description Second factors; on a single person only. */
                        two_factor_methods?: string[];
                        /**
                         * Format: date-time
                         * @description When the account was made.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disableUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The person. */
                user_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Kept in the person’s security log. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The person. */
                        user_id: number;
                        email: string;
                        nickname: string;
                        referral_code: string;
                        /** @description Who brought this person. */
                        referrer_id?: number;
                        /**
                         * @description Disabled people cannot sign in; closed accounts are gone for good.
                         * @enum {string}
                         */
                        status: "active" | "disabled" | "closed";
                        /** @description Groups, in the claim `groups`. */
                        groups: string[];
                        /** @description Second factors; on a single person only. */
                        two_factor_methods?: string[];
                        /**
                         * Format: date-time
                         * @description When the account was made.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    enableUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The person. */
                user_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Kept in the person’s security log. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The person. */
                        user_id: number;
                        email: string;
                        nickname: string;
                        referral_code: string;
                        /** @description Who brought this person. */
                        referrer_id?: number;
                        /**
                         * @description Disabled people cannot sign in; closed accounts are gone for good.
                         * @enum {string}
                         */
                        status: "active" | "disabled" | "closed";
                        /** @description Groups, in the claim `groups`. */
                        groups: string[];
                        /** @description Second factors; on a single person only. */
                        two_factor_methods?: string[];
                        /**
                         * Format: date-time
                         * @description When the account was made.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listClients: {
        parameters: {
            query: {
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty and carries the true total. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            client_id: string;
                            /** @description What people read when the application asks for consent. */
                            client_name: string;
                            /**
                             * @description Whether it can keep a secret.
                             * @enum {string}
                             */
                            type: "public" | "confidential";
                            /** @description The operator's own: people are not asked for consent. */
                            first_party: boolean;
                            /** @description False: authorization requests may leave PKCE out if they have `nonce` and the scope `openid`. For confidential clients only. Default: true. */
                            require_pkce: boolean;
                            enabled: boolean;
                            /** @description Compared exactly; only the port varies, and on loopback only. https, http on loopback, or a reverse-domain scheme. */
                            redirect_uris: string[];
                            /** @description Everything that the application may ask for. */
                            scopes: string[];
                            /** @description Default: authorization_code with redirect URIs (and refresh_token with offline_access); client_credentials with a secret and none. */
                            grant_types: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange")[];
                            /** @description Where a browser may go after a logout that the application asked for (OpenID Connect RP-Initiated Logout 1.0). The rules are those of `redirect_uris`. Default: none. */
                            post_logout_redirect_uris?: string[];
                            /** @description Receives a logout token by POST when a session ends in which the application was signed in to (OpenID Connect Back-Channel Logout 1.0): https, of the public internet. Empty: none, the default. */
                            backchannel_logout_uri?: string;
                            /** @description Privacy policy of the application, linked where a user is asked for consent: https. Empty: none, the default. */
                            policy_uri?: string;
                            /** @description Its terms of service, in the same way. Empty: none, the default. */
                            tos_uri?: string;
                            /** @description Its logo, shown where a user is asked for consent: PNG, JPEG or WebP of at most 64 KB and 1024 pixels in a side, at https, of the public internet. It is fetched whenever the field is sent, and served by this service alone. Empty: none, the default. */
                            logo_uri?: string;
                            /**
                             * @description How a confidential client authenticates: by its secret in HTTP Basic or the form, the default, or by a JWT that it signs (RFC 7523), without a secret. Fixed at registration.
                             * @enum {string}
                             */
                            token_endpoint_auth_method?: "client_secret_basic" | "private_key_jwt";
                            /** @description The keys that the client signs with. */
                            jwks?: {
                                /** @description Public keys (RFC 7517). Empty: none, the default. */
                                keys: ({
                                    kty: string;
                                } & {
                                    [key: string]: unknown;
                                })[];
                            };
                            /** @description Instead of `jwks`: where those keys are read, at most once a minute; https, of the public internet. Empty: none, the default. */
                            jwks_uri?: string;
                            /**
                             * @description What signs its ID tokens and logout tokens. Default: RS256.
                             * @enum {string}
                             */
                            id_token_signed_response_alg?: "RS256" | "ES256" | "EdDSA";
                            /** @description True: authorization requests are pushed first (RFC 9126). Default: false; every client may push. */
                            require_pushed_authorization_requests?: boolean;
                            /** @description True: authorization requests are signed (RFC 9101). Needs `jwks` or `jwks_uri`. Default: false; a client that has keys may sign. */
                            require_signed_request_object?: boolean;
                            /** @description The roles that members of groups have in the application; it sees them in the claim `roles`, with the scope `roles`. Set by operators only. Default: none. */
                            roles?: {
                                /** @description A group that operators assign to people. 1 to 64 letters, digits and `._:/-`. */
                                group: string;
                                /** @description What the application calls its members. 1 to 64 letters, digits and `._:/-`. */
                                role: string;
                            }[];
                            /** @description Seconds that access tokens are valid, from 60; not longer than the service or the sign-in allows. 0: as long as these allow, the default. */
                            access_token_lifetime?: number;
                            /** @description Seconds that a refresh token is valid without use, from 60; not longer than the service allows. 0: as long as that allows, the default. */
                            refresh_token_lifetime?: number;
                            /**
                             * Format: date-time
                             * @description When it was registered.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it last changed.
                             */
                            updated_at: string;
                        }[];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Default: random. */
                    client_id?: string;
                    /** @description What people read when the application asks for consent. */
                    client_name: string;
                    /**
                     * @description Whether it can keep a secret.
                     * @enum {string}
                     */
                    type: "public" | "confidential";
                    first_party?: boolean;
                    /** @description False: authorization requests may leave PKCE out if they have `nonce` and the scope `openid`. For confidential clients only. Default: true. */
                    require_pkce?: boolean;
                    /** @description Compared exactly; only the port varies, and on loopback only. https, http on loopback, or a reverse-domain scheme. */
                    redirect_uris?: string[];
                    /** @description Everything that the application may ask for. */
                    scopes: string[];
                    /** @description Default: authorization_code with redirect URIs (and refresh_token with offline_access); client_credentials with a secret and none. */
                    grant_types?: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange")[];
                    /** @description Where a browser may go after a logout that the application asked for (OpenID Connect RP-Initiated Logout 1.0). The rules are those of `redirect_uris`. Default: none. */
                    post_logout_redirect_uris?: string[];
                    /** @description Receives a logout token by POST when a session ends in which the application was signed in to (OpenID Connect Back-Channel Logout 1.0): https, of the public internet. Empty: none, the default. */
                    backchannel_logout_uri?: string;
                    /** @description Privacy policy of the application, linked where a user is asked for consent: https. Empty: none, the default. */
                    policy_uri?: string;
                    /** @description Its terms of service, in the same way. Empty: none, the default. */
                    tos_uri?: string;
                    /** @description Its logo, shown where a user is asked for consent: PNG, JPEG or WebP of at most 64 KB and 1024 pixels in a side, at https, of the public internet. It is fetched whenever the field is sent, and served by this service alone. Empty: none, the default. */
                    logo_uri?: string;
                    /**
                     * @description How a confidential client authenticates: by its secret in HTTP Basic or the form, the default, or by a JWT that it signs (RFC 7523), without a secret. Fixed at registration.
                     * @enum {string}
                     */
                    token_endpoint_auth_method?: "client_secret_basic" | "private_key_jwt";
                    /** @description The keys that the client signs with. */
                    jwks?: {
                        /** @description Public keys (RFC 7517). Empty: none, the default. */
                        keys: ({
                            kty: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                    /** @description Instead of `jwks`: where those keys are read, at most once a minute; https, of the public internet. Empty: none, the default. */
                    jwks_uri?: string;
                    /**
                     * @description What signs its ID tokens and logout tokens. Default: RS256.
                     * @enum {string}
                     */
                    id_token_signed_response_alg?: "RS256" | "ES256" | "EdDSA";
                    /** @description True: authorization requests are pushed first (RFC 9126). Default: false; every client may push. */
                    require_pushed_authorization_requests?: boolean;
                    /** @description True: authorization requests are signed (RFC 9101). Needs `jwks` or `jwks_uri`. Default: false; a client that has keys may sign. */
                    require_signed_request_object?: boolean;
                    /** @description The roles that members of groups have in the application; it sees them in the claim `roles`, with the scope `roles`. Set by operators only. Default: none. */
                    roles?: {
                        /** @description A group that operators assign to people. 1 to 64 letters, digits and `._:/-`. */
                        group: string;
                        /** @description What the application calls its members. 1 to 64 letters, digits and `._:/-`. */
                        role: string;
                    }[];
                    /** @description Seconds that access tokens are valid, from 60; not longer than the service or the sign-in allows. 0: as long as these allow, the default. */
                    access_token_lifetime?: number;
                    /** @description Seconds that a refresh token is valid without use, from 60; not longer than the service allows. 0: as long as that allows, the default. */
                    refresh_token_lifetime?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** @description What people read when the application asks for consent. */
                        client_name: string;
                        /**
                         * @description Whether it can keep a secret.
                         * @enum {string}
                         */
                        type: "public" | "confidential";
                        /** @description The operator's own: people are not asked for consent. */
                        first_party: boolean;
                        /** @description False: authorization requests may leave PKCE out if they have `nonce` and the scope `openid`. For confidential clients only. Default: true. */
                        require_pkce: boolean;
                        enabled: boolean;
                        /** @description Compared exactly; only the port varies, and on loopback only. https, http on loopback, or a reverse-domain scheme. */
                        redirect_uris: string[];
                        /** @description Everything that the application may ask for. */
                        scopes: string[];
                        /** @description Default: authorization_code with redirect URIs (and refresh_token with offline_access); client_credentials with a secret and none. */
                        grant_types: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange")[];
                        /** @description Where a browser may go after a logout that the application asked for (OpenID Connect RP-Initiated Logout 1.0). The rules are those of `redirect_uris`. Default: none. */
                        post_logout_redirect_uris?: string[];
                        /** @description Receives a logout token by POST when a session ends in which the application was signed in to (OpenID Connect Back-Channel Logout 1.0): https, of the public internet. Empty: none, the default. */
                        backchannel_logout_uri?: string;
                        /** @description Privacy policy of the application, linked where a user is asked for consent: https. Empty: none, the default. */
                        policy_uri?: string;
                        /** @description Its terms of service, in the same way. Empty: none, the default. */
                        tos_uri?: string;
                        /** @description Its logo, shown where a user is asked for consent: PNG, JPEG or WebP of at most 64 KB and 1024 pixels in a side, at https, of the public internet. It is fetched whenever the field is sent, and served by this service alone. Empty: none, the default. */
                        logo_uri?: string;
                        /**
                         * @description How a confidential client authenticates: by its secret in HTTP Basic or the form, the default, or by a JWT that it signs (RFC 7523), without a secret. Fixed at registration.
                         * @enum {string}
                         */
                        token_endpoint_auth_method?: "client_secret_basic" | "private_key_jwt";
                        /** @description The keys that the client signs with. */
                        jwks?: {
                            /** @description Public keys (RFC 7517). Empty: none, the default. */
                            keys: ({
                                kty: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                        };
                        /** @description Instead of `jwks`: where those keys are read, at most once a minute; https, of the public internet. Empty: none, the default. */
                        jwks_uri?: string;
                        /**
                         * @description What signs its ID tokens and logout tokens. Default: RS256.
                         * @enum {string}
                         */
                        id_token_signed_response_alg?: "RS256" | "ES256" | "EdDSA";
                        /** @description True: authorization requests are pushed first (RFC 9126). Default: false; every client may push. */
                        require_pushed_authorization_requests?: boolean;
                        /** @description True: authorization requests are signed (RFC 9101). Needs `jwks` or `jwks_uri`. Default: false; a client that has keys may sign. */
                        require_signed_request_object?: boolean;
                        /** @description The roles that members of groups have in the application; it sees them in the claim `roles`, with the scope `roles`. Set by operators only. Default: none. */
                        roles?: {
                            /** @description A group that operators assign to people. 1 to 64 letters, digits and `._:/-`. */
                            group: string;
                            /** @description What the application calls its members. 1 to 64 letters, digits and `._:/-`. */
                            role: string;
                        }[];
                        /** @description Seconds that access tokens are valid, from 60; not longer than the service or the sign-in allows. 0: as long as these allow, the default. */
                        access_token_lifetime?: number;
                        /** @description Seconds that a refresh token is valid without use, from 60; not longer than the service allows. 0: as long as that allows, the default. */
                        refresh_token_lifetime?: number;
                        /**
                         * Format: date-time
                         * @description When it was registered.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                        /** @description Shown this once; only its hash is stored. */
                        client_secret?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            409: components["responses"]["client_exists"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** @description What people read when the application asks for consent. */
                        client_name: string;
                        /**
                         * @description Whether it can keep a secret.
                         * @enum {string}
                         */
                        type: "public" | "confidential";
                        /** @description The operator's own: people are not asked for consent. */
                        first_party: boolean;
                        /** @description False: authorization requests may leave PKCE out if they have `nonce` and the scope `openid`. For confidential clients only. Default: true. */
                        require_pkce: boolean;
                        enabled: boolean;
                        /** @description Compared exactly; only the port varies, and on loopback only. https, http on loopback, or a reverse-domain scheme. */
                        redirect_uris: string[];
                        /** @description Everything that the application may ask for. */
                        scopes: string[];
                        /** @description Default: authorization_code with redirect URIs (and refresh_token with offline_access); client_credentials with a secret and none. */
                        grant_types: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange")[];
                        /** @description Where a browser may go after a logout that the application asked for (OpenID Connect RP-Initiated Logout 1.0). The rules are those of `redirect_uris`. Default: none. */
                        post_logout_redirect_uris?: string[];
                        /** @description Receives a logout token by POST when a session ends in which the application was signed in to (OpenID Connect Back-Channel Logout 1.0): https, of the public internet. Empty: none, the default. */
                        backchannel_logout_uri?: string;
                        /** @description Privacy policy of the application, linked where a user is asked for consent: https. Empty: none, the default. */
                        policy_uri?: string;
                        /** @description Its terms of service, in the same way. Empty: none, the default. */
                        tos_uri?: string;
                        /** @description Its logo, shown where a user is asked for consent: PNG, JPEG or WebP of at most 64 KB and 1024 pixels in a side, at https, of the public internet. It is fetched whenever the field is sent, and served by this service alone. Empty: none, the default. */
                        logo_uri?: string;
                        /**
                         * @description How a confidential client authenticates: by its secret in HTTP Basic or the form, the default, or by a JWT that it signs (RFC 7523), without a secret. Fixed at registration.
                         * @enum {string}
                         */
                        token_endpoint_auth_method?: "client_secret_basic" | "private_key_jwt";
                        /** @description The keys that the client signs with. */
                        jwks?: {
                            /** @description Public keys (RFC 7517). Empty: none, the default. */
                            keys: ({
                                kty: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                        };
                        /** @description Instead of `jwks`: where those keys are read, at most once a minute; https, of the public internet. Empty: none, the default. */
                        jwks_uri?: string;
                        /**
                         * @description What signs its ID tokens and logout tokens. Default: RS256.
                         * @enum {string}
                         */
                        id_token_signed_response_alg?: "RS256" | "ES256" | "EdDSA";
                        /** @description True: authorization requests are pushed first (RFC 9126). Default: false; every client may push. */
                        require_pushed_authorization_requests?: boolean;
                        /** @description True: authorization requests are signed (RFC 9101). Needs `jwks` or `jwks_uri`. Default: false; a client that has keys may sign. */
                        require_signed_request_object?: boolean;
                        /** @description The roles that members of groups have in the application; it sees them in the claim `roles`, with the scope `roles`. Set by operators only. Default: none. */
                        roles?: {
                            /** @description A group that operators assign to people. 1 to 64 letters, digits and `._:/-`. */
                            group: string;
                            /** @description What the application calls its members. 1 to 64 letters, digits and `._:/-`. */
                            role: string;
                        }[];
                        /** @description Seconds that access tokens are valid, from 60; not longer than the service or the sign-in allows. 0: as long as these allow, the default. */
                        access_token_lifetime?: number;
                        /** @description Seconds that a refresh token is valid without use, from 60; not longer than the service allows. 0: as long as that allows, the default. */
                        refresh_token_lifetime?: number;
                        /**
                         * Format: date-time
                         * @description When it was registered.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["own_client"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What people read when the application asks for consent. */
                    client_name?: string;
                    first_party?: boolean;
                    /** @description False: authorization requests may leave PKCE out if they have `nonce` and the scope `openid`. For confidential clients only. Default: true. */
                    require_pkce?: boolean;
                    enabled?: boolean;
                    /** @description Compared exactly; only the port varies, and on loopback only. https, http on loopback, or a reverse-domain scheme. */
                    redirect_uris?: string[];
                    /** @description Everything that the application may ask for. */
                    scopes?: string[];
                    /** @description Default: authorization_code with redirect URIs (and refresh_token with offline_access); client_credentials with a secret and none. */
                    grant_types?: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange")[];
                    /** @description Where a browser may go after a logout that the application asked for (OpenID Connect RP-Initiated Logout 1.0). The rules are those of `redirect_uris`. Default: none. */
                    post_logout_redirect_uris?: string[];
                    /** @description Receives a logout token by POST when a session ends in which the application was signed in to (OpenID Connect Back-Channel Logout 1.0): https, of the public internet. Empty: none, the default. */
                    backchannel_logout_uri?: string;
                    /** @description Privacy policy of the application, linked where a user is asked for consent: https. Empty: none, the default. */
                    policy_uri?: string;
                    /** @description Its terms of service, in the same way. Empty: none, the default. */
                    tos_uri?: string;
                    /** @description Its logo, shown where a user is asked for consent: PNG, JPEG or WebP of at most 64 KB and 1024 pixels in a side, at https, of the public internet. It is fetched whenever the field is sent, and served by this service alone. Empty: none, the default. */
                    logo_uri?: string;
                    /**
                     * @description How a confidential client authenticates: by its secret in HTTP Basic or the form, the default, or by a JWT that it signs (RFC 7523), without a secret. Fixed at registration.
                     * @enum {string}
                     */
                    token_endpoint_auth_method?: "client_secret_basic" | "private_key_jwt";
                    /** @description The keys that the client signs with. */
                    jwks?: {
                        /** @description Public keys (RFC 7517). Empty: none, the default. */
                        keys: ({
                            kty: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                    /** @description Instead of `jwks`: where those keys are read, at most once a minute; https, of the public internet. Empty: none, the default. */
                    jwks_uri?: string;
                    /**
                     * @description What signs its ID tokens and logout tokens. Default: RS256.
                     * @enum {string}
                     */
                    id_token_signed_response_alg?: "RS256" | "ES256" | "EdDSA";
                    /** @description True: authorization requests are pushed first (RFC 9126). Default: false; every client may push. */
                    require_pushed_authorization_requests?: boolean;
                    /** @description True: authorization requests are signed (RFC 9101). Needs `jwks` or `jwks_uri`. Default: false; a client that has keys may sign. */
                    require_signed_request_object?: boolean;
                    /** @description The roles that members of groups have in the application; it sees them in the claim `roles`, with the scope `roles`. Set by operators only. Default: none. */
                    roles?: {
                        /** @description A group that operators assign to people. 1 to 64 letters, digits and `._:/-`. */
                        group: string;
                        /** @description What the application calls its members. 1 to 64 letters, digits and `._:/-`. */
                        role: string;
                    }[];
                    /** @description Seconds that access tokens are valid, from 60; not longer than the service or the sign-in allows. 0: as long as these allow, the default. */
                    access_token_lifetime?: number;
                    /** @description Seconds that a refresh token is valid without use, from 60; not longer than the service allows. 0: as long as that allows, the default. */
                    refresh_token_lifetime?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** @description What people read when the application asks for consent. */
                        client_name: string;
                        /**
                         * @description Whether it can keep a secret.
                         * @enum {string}
                         */
                        type: "public" | "confidential";
                        /** @description The operator's own: people are not asked for consent. */
                        first_party: boolean;
                        /** @description False: authorization requests may leave PKCE out if they have `nonce` and the scope `openid`. For confidential clients only. Default: true. */
                        require_pkce: boolean;
                        enabled: boolean;
                        /** @description Compared exactly; only the port varies, and on loopback only. https, http on loopback, or a reverse-domain scheme. */
                        redirect_uris: string[];
                        /** @description Everything that the application may ask for. */
                        scopes: string[];
                        /** @description Default: authorization_code with redirect URIs (and refresh_token with offline_access); client_credentials with a secret and none. */
                        grant_types: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange")[];
                        /** @description Where a browser may go after a logout that the application asked for (OpenID Connect RP-Initiated Logout 1.0). The rules are those of `redirect_uris`. Default: none. */
                        post_logout_redirect_uris?: string[];
                        /** @description Receives a logout token by POST when a session ends in which the application was signed in to (OpenID Connect Back-Channel Logout 1.0): https, of the public internet. Empty: none, the default. */
                        backchannel_logout_uri?: string;
                        /** @description Privacy policy of the application, linked where a user is asked for consent: https. Empty: none, the default. */
                        policy_uri?: string;
                        /** @description Its terms of service, in the same way. Empty: none, the default. */
                        tos_uri?: string;
                        /** @description Its logo, shown where a user is asked for consent: PNG, JPEG or WebP of at most 64 KB and 1024 pixels in a side, at https, of the public internet. It is fetched whenever the field is sent, and served by this service alone. Empty: none, the default. */
                        logo_uri?: string;
                        /**
                         * @description How a confidential client authenticates: by its secret in HTTP Basic or the form, the default, or by a JWT that it signs (RFC 7523), without a secret. Fixed at registration.
                         * @enum {string}
                         */
                        token_endpoint_auth_method?: "client_secret_basic" | "private_key_jwt";
                        /** @description The keys that the client signs with. */
                        jwks?: {
                            /** @description Public keys (RFC 7517). Empty: none, the default. */
                            keys: ({
                                kty: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                        };
                        /** @description Instead of `jwks`: where those keys are read, at most once a minute; https, of the public internet. Empty: none, the default. */
                        jwks_uri?: string;
                        /**
                         * @description What signs its ID tokens and logout tokens. Default: RS256.
                         * @enum {string}
                         */
                        id_token_signed_response_alg?: "RS256" | "ES256" | "EdDSA";
                        /** @description True: authorization requests are pushed first (RFC 9126). Default: false; every client may push. */
                        require_pushed_authorization_requests?: boolean;
                        /** @description True: authorization requests are signed (RFC 9101). Needs `jwks` or `jwks_uri`. Default: false; a client that has keys may sign. */
                        require_signed_request_object?: boolean;
                        /** @description The roles that members of groups have in the application; it sees them in the claim `roles`, with the scope `roles`. Set by operators only. Default: none. */
                        roles?: {
                            /** @description A group that operators assign to people. 1 to 64 letters, digits and `._:/-`. */
                            group: string;
                            /** @description What the application calls its members. 1 to 64 letters, digits and `._:/-`. */
                            role: string;
                        }[];
                        /** @description Seconds that access tokens are valid, from 60; not longer than the service or the sign-in allows. 0: as long as these allow, the default. */
                        access_token_lifetime?: number;
                        /** @description Seconds that a refresh token is valid without use, from 60; not longer than the service allows. 0: as long as that allows, the default. */
                        refresh_token_lifetime?: number;
                        /**
                         * Format: date-time
                         * @description When it was registered.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["own_client"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceClientSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_id: string;
                        /** @description Shown this once. */
                        client_secret: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["public_client"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createRegistrationToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Clients; default: 1. */
                    uses?: number;
                    /** @description Seconds; default: a day. */
                    lifetime_s?: number;
                    /** @description What the clients may be registered for: of openid, profile, email, groups, roles, offline_access, account:read, wallet:write, devices:read, devices:write, community:read, community:write, dashboard:read, device:connect. Default: openid, profile, email, offline_access. */
                    scopes?: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Shown this once; only its hash is stored. */
                        token: string;
                        /** @description Clients that it registers. */
                        uses: number;
                        scopes: string[];
                        /**
                         * Format: date-time
                         * @description When it ends.
                         */
                        expires_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listResourceServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceServer"][];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putResourceServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Lower-case letters, digits and hyphens, at most 40. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name for operators. */
                    name: string;
                    /** @description What requests name as `resource` and tokens carry as `aud` (RFC 8707): an absolute URI without a fragment, for example the address of the API. Fixed once stored. */
                    audience: string;
                    /** @description All scopes. One that a client still has cannot be left out. */
                    scopes: {
                        /** @description For example `orders:read`; unique among all resource servers. */
                        name: string;
                        /** @description What it permits, shown to the user who is asked for consent. */
                        description: string;
                    }[];
                    /** @description False: it gets no tokens, and introspection answers that none is active. */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description By id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceServer"][];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteResourceServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Lower-case letters, digits and hyphens, at most 40. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceServer"][];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUpstreamProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamProvider"][];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putUpstreamProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Lower-case letters, digits and hyphens, at most 40. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description A known provider: what is the same for each of its clients.
                     * @enum {string}
                     */
                    preset?: "google" | "apple" | "microsoft" | "telegram";
                    /** @description Name at the sign-in. */
                    label?: string;
                    /** @description Issuer identifier (OpenID Connect Discovery 1.0): https, no query; its metadata is read when the provider is stored. */
                    issuer?: string;
                    /** @description The client that the provider has registered for this service. */
                    client_id: string;
                    /** @description Stored encrypted and never shown. Left out: the stored one stays if issuer and client stay. Null, or none: a public client. */
                    client_secret?: string | null;
                    /** @description Instead of `client_secret`, for Apple: signs the client secret. Stored encrypted. */
                    apple_key?: {
                        team_id: string;
                        key_id: string;
                        /** @description PKCS #8 in PEM, as Apple hands it out (ES256). */
                        private_key: string;
                    };
                    /**
                     * @description How the provider sends the browser back; default: query.
                     * @enum {string}
                     */
                    response_mode?: "query" | "form_post";
                    /** @description What is requested; `openid` is needed. Default: openid, email, profile. */
                    scopes?: string[];
                    /** @description Values of `amr` (RFC 8176) in an ID token of the provider that count as the second factor of a linked account. Default: none, and the second factor is asked here. */
                    second_factor_amr?: string[];
                    /** @description False: for a provider that returns no `nonce`; it must support PKCE, which then binds the code alone. Default: true. */
                    sends_nonce?: boolean;
                    /** @description Users can sign in with it; default: true. */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description By id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamProvider"][];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable.upstream_unreachable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteUpstreamProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Lower-case letters, digits and hyphens, at most 40. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamProvider"][];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDevelopmentMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mails. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        to: string;
                        subject: string;
                        text: string;
                        /** Format: date-time */
                        created_at: string;
                    }[];
                    "text/html": string;
                };
            };
            400: components["responses"]["malformed_request"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCurrencies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Code, for example `EDGE`. */
                        code: string;
                        /** @description Decimals that amounts of this currency have at most. */
                        scale: number;
                        /** @description Rewards are paid in it. */
                        is_reward_currency: boolean;
                        /** @description Those of them that this operator has configured: an address can be had now. */
                        open_networks: string[];
                        /** @description Networks on which it can be deposited, as `currencyNetWork` takes them. */
                        networks: string[];
                        /** @description What people call each of them, by its code. */
                        network_names: {
                            [key: string]: string;
                        };
                    }[];
                };
            };
            400: components["responses"]["malformed_request"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBalances: {
        parameters: {
            query?: {
                /** @description Currency code, for example `EDGE`. */
                currency?: string;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every currency, zeros included. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"][];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRewardBalances: {
        parameters: {
            query?: {
                /** @description Currency code, for example `EDGE`. */
                currency?: string;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every currency, zeros included. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewardAsset"][];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBills: {
        parameters: {
            query: {
                /** @description Currency code, for example `EDGE`. */
                currency?: string;
                /** @description 1 = credit, 2 = debit. */
                amountDirection?: number;
                /** @description Transaction type, for example `deposit`. */
                businessId?: string;
                /** @description First day. */
                beginTime?: string;
                /** @description Last day, included. */
                endTime?: string;
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty and carries the true total. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["Bill"][];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportBills: {
        parameters: {
            query?: {
                /** @description Currency code, for example `EDGE`. */
                currency?: string;
                /** @description 1 = credit, 2 = debit. */
                amountDirection?: number;
                /** @description Transaction type, for example `deposit`. */
                businessId?: string;
                /** @description First day. */
                beginTime?: string;
                /** @description Last day, included. */
                endTime?: string;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bills. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Bill. */
                        id: number;
                        /** @description The transfer that the bill is one side of; it can be reversed under this id. */
                        transfer_id: number;
                        /** @description Currency code, for example `EDGE`. */
                        currency: string;
                        /** @description Transaction type, for example `deposit`. */
                        business_id: string;
                        /** @description 1 = credit, 2 = debit. */
                        amount_direction: number;
                        /**
                         * Format: decimal
                         * @description Positive.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description Available balance and hold together, after this bill.
                         */
                        balance_after: string;
                        /** @description Of rewards. */
                        reward_type?: string;
                        /** @description The other side: `user:ID`, or an account of the house. */
                        counterparty?: string;
                        /** @description Reference of the business server. */
                        reference?: string;
                        remark?: string;
                        /**
                         * Format: date-time
                         * @description When it happened or was earned.
                         */
                        event_at: string;
                        /**
                         * Format: date-time
                         * @description When it was posted; bills are filtered and sorted by it.
                         */
                        created_at: string;
                    }[];
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetSummary: {
        parameters: {
            query?: {
                /** @description Default `USDT`. */
                quoteCurrency?: string;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a wallet is worth in one currency. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Currency code, for example `EDGE`. */
                        quote_currency: string;
                        /**
                         * Format: decimal
                         * @description Sum of the values shown.
                         */
                        total: string;
                        /** @description True when an asset has no price and is left out of the total. */
                        partial?: boolean;
                        /**
                         * Format: date-time
                         * @description When the summary was made.
                         */
                        as_of: string;
                        /** @description Every currency, zeros included. */
                        assets: {
                            /** @description Currency code, for example `EDGE`. */
                            currency: string;
                            /**
                             * Format: decimal
                             * @description Available balance.
                             */
                            balance: string;
                            /**
                             * Format: decimal
                             * @description Frozen balance.
                             */
                            hold: string;
                            price: string | null;
                            priced_at: string | null;
                            value: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRewardBills: {
        parameters: {
            query: {
                /** @description Currency code, for example `EDGE`. */
                currency?: string;
                /** @description 1 = credit, 2 = debit. */
                amountDirection?: number;
                /** @description Transaction type, for example `deposit`. */
                businessId?: string;
                /** @description First day. */
                beginTime?: string;
                /** @description Last day, included. */
                endTime?: string;
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty and carries the true total. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["Bill"][];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportRewardBills: {
        parameters: {
            query?: {
                /** @description Currency code, for example `EDGE`. */
                currency?: string;
                /** @description 1 = credit, 2 = debit. */
                amountDirection?: number;
                /** @description Transaction type, for example `deposit`. */
                businessId?: string;
                /** @description First day. */
                beginTime?: string;
                /** @description Last day, included. */
                endTime?: string;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bills. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Bill. */
                        id: number;
                        /** @description The transfer that the bill is one side of; it can be reversed under this id. */
                        transfer_id: number;
                        /** @description Currency code, for example `EDGE`. */
                        currency: string;
                        /** @description Transaction type, for example `deposit`. */
                        business_id: string;
                        /** @description 1 = credit, 2 = debit. */
                        amount_direction: number;
                        /**
                         * Format: decimal
                         * @description Positive.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description Available balance and hold together, after this bill.
                         */
                        balance_after: string;
                        /** @description Of rewards. */
                        reward_type?: string;
                        /** @description The other side: `user:ID`, or an account of the house. */
                        counterparty?: string;
                        /** @description Reference of the business server. */
                        reference?: string;
                        remark?: string;
                        /**
                         * Format: date-time
                         * @description When it happened or was earned.
                         */
                        event_at: string;
                        /**
                         * Format: date-time
                         * @description When it was posted; bills are filtered and sorted by it.
                         */
                        created_at: string;
                    }[];
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRewardAssetSummary: {
        parameters: {
            query?: {
                /** @description Default `USDT`. */
                quoteCurrency?: string;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a wallet is worth in one currency. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Currency code, for example `EDGE`. */
                        quote_currency: string;
                        /**
                         * Format: decimal
                         * @description Sum of the values shown.
                         */
                        total: string;
                        /** @description True when an asset has no price and is left out of the total. */
                        partial?: boolean;
                        /**
                         * Format: date-time
                         * @description When the summary was made.
                         */
                        as_of: string;
                        /** @description Every currency, zeros included. */
                        assets: {
                            /** @description Currency code, for example `EDGE`. */
                            currency: string;
                            /**
                             * Format: decimal
                             * @description Available balance.
                             */
                            balance: string;
                            /**
                             * Format: decimal
                             * @description Frozen balance.
                             */
                            hold: string;
                            price: string | null;
                            priced_at: string | null;
                            value: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createConversionQuote: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description What to convert; `to_currency` defaults to the same currency. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Currency code, for example `EDGE`. */
                    currency: string;
                    /** @description How much of the reward wallet to convert; at most 10^40 minor units. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                    amount: string | number;
                    /** @description Currency code, for example `EDGE`. */
                    to_currency?: string;
                };
            };
        };
        responses: {
            /** @description An offer to convert rewards. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Names the offer; it can be taken once. */
                        quote_id: string;
                        /** @description Currency code, for example `EDGE`. */
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Leaves the reward wallet.
                         */
                        amount: string;
                        /** @description Currency code, for example `EDGE`. */
                        to_currency: string;
                        /**
                         * Format: decimal
                         * @description Arrives in the asset wallet.
                         */
                        to_amount: string;
                        /**
                         * Format: decimal
                         * @description Units of `to_currency` for one unit of `currency`.
                         */
                        price: string;
                        /**
                         * Format: date-time
                         * @description When the price was set.
                         */
                        priced_at: string;
                        /**
                         * Format: date-time
                         * @description Until when the offer holds: a minute, or until its price is 10 minutes old.
                         */
                        expires_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            409: components["responses"]["no_price.price_too_old"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    convertRewards: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the offer that is taken. */
                    quote_id: string;
                };
            };
        };
        responses: {
            /** @description A conversion that was made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Names the offer; it can be taken once. */
                        quote_id: string;
                        /** @description Currency code, for example `EDGE`. */
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Leaves the reward wallet.
                         */
                        amount: string;
                        /** @description Currency code, for example `EDGE`. */
                        to_currency: string;
                        /**
                         * Format: decimal
                         * @description Arrives in the asset wallet.
                         */
                        to_amount: string;
                        /**
                         * Format: decimal
                         * @description Units of `to_currency` for one unit of `currency`.
                         */
                        price: string;
                        /**
                         * Format: date-time
                         * @description When the price was set.
                         */
                        priced_at: string;
                        /**
                         * Format: date-time
                         * @description Until when the offer holds: a minute, or until its price is 10 minutes old.
                         */
                        expires_at: string;
                        /**
                         * Format: date-time
                         * @description When it was done.
                         */
                        converted_at: string;
                        /** @description The transfer out of the reward wallet. */
                        debit_transfer_id: number;
                        /** @description The transfer into the asset wallet. */
                        credit_transfer_id: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.insufficient_funds.balance_too_large.account_closed.money_frozen.quote_used.quote_expired"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    payReward: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Who is rewarded. */
                    user_id: number;
                    /** @description Currency code. */
                    currency: string;
                    /** @description How much. Above 0, at most 10^40 minor units, no more decimals than the currency has. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                    amount: string | number;
                    /**
                     * Format: date-time
                     * @description When it happened or was earned; default: now. Not in the future.
                     */
                    event_at?: string;
                    /** @description The device that earned it. */
                    node_id?: string;
                    /** @description Shown in the bill. */
                    remark?: string;
                    /** @description The business server's own reference, shown in the bill. */
                    reference?: string;
                    /** @description Reward type, for example `UPTIME`; every earning has one. */
                    reward_type: string;
                };
            };
        };
        responses: {
            /** @description A reward that was paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The transfer. */
                        id: number;
                        /** @description Who was rewarded. */
                        user_id: number;
                        currency: string;
                        /**
                         * Format: decimal
                         * @description As posted.
                         */
                        amount: string;
                        /** @description Reward type, for example `UPTIME`; every earning has one. */
                        reward_type: string;
                        /** @description Transaction type that the reward is posted as; default for own types: `reward`. */
                        business_id: string;
                        node_id?: string;
                        reference?: string;
                        remark?: string;
                        /**
                         * Format: date-time
                         * @description When it was earned.
                         */
                        event_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["unknown_user"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.balance_too_large.account_closed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postTransfers: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    transfers: {
                        /** @description An account: `user_id` and `wallet`, or `house`. */
                        debit: {
                            /** @description A person; with `wallet`. */
                            user_id?: number;
                            /** @description The person's wallet: `asset`, `bonus`, or another that was added. */
                            wallet?: string;
                            /** @description An account of the house, instead of a person, for example `adjustment`; `GET /operator/wallets` lists them. */
                            house?: string;
                        };
                        /** @description An account: `user_id` and `wallet`, or `house`. */
                        credit: {
                            /** @description A person; with `wallet`. */
                            user_id?: number;
                            /** @description The person's wallet: `asset`, `bonus`, or another that was added. */
                            wallet?: string;
                            /** @description An account of the house, instead of a person, for example `adjustment`; `GET /operator/wallets` lists them. */
                            house?: string;
                        };
                        /** @description Currency code. */
                        currency: string;
                        /** @description How much. Above 0, at most 10^40 minor units, no more decimals than the currency has. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                        amount: string | number;
                        /**
                         * Format: date-time
                         * @description When it happened or was earned; default: now. Not in the future.
                         */
                        event_at?: string;
                        /** @description The device that earned it. */
                        node_id?: string;
                        /** @description Shown in the bill. */
                        remark?: string;
                        /** @description The business server's own reference, shown in the bill. */
                        reference?: string;
                        /** @description Transaction type, for example `adjustment`. */
                        business_id: string;
                        /** @description Reward type, for example `UPTIME`; every earning has one. */
                        reward_type?: string;
                        /** @description The debit passes even if the account becomes negative, which freezes it, or was closed by its owner. Default: false. */
                        may_overdraw?: boolean;
                    }[];
                    /** @description All or nothing: one refusal refuses all. Default: false. */
                    atomic?: boolean;
                };
            };
        };
        responses: {
            /** @description In the order of the batch. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            /** @description Place in the batch, from 0. */
                            index: number;
                            /**
                             * @description What became of it.
                             * @enum {string}
                             */
                            status: "posted" | "refused";
                            /** @description The transfer. */
                            id?: number;
                            /** @description Why it was refused; see `x-failure-codes`. */
                            code?: string;
                            /** @description The same as text. */
                            detail?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reverseTransfer: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
            };
            path: {
                /** @description The transfer. */
                id: number;
            };
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Shown in the bill. */
                    remark?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The new transfer. */
                        id: number;
                        /** @description The transfer that it undoes. */
                        reverses: number;
                        /** @description Of one half of a conversion: the other half, undone with it. */
                        also?: {
                            /** @description The new transfer. */
                            id: number;
                            /** @description The transfer that it undoes. */
                            reverses: number;
                        };
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.balance_too_large.counter_negative.already_reversed.not_reversible"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWithdrawals: {
        parameters: {
            query: {
                /** @description Whose. */
                userId: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"][];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWithdrawal: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whose money. */
                    user_id: number;
                    /** @description Currency code. */
                    currency: string;
                    /** @description How much is held. Above 0, at most 10^40 minor units, no more decimals than the currency has. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                    amount: string | number;
                    /** @description Seconds after which the money is given back by itself. */
                    expires_in_s?: number;
                    /** @description The business server's own reference. */
                    reference?: string;
                    /** @description Shown in the bill. */
                    remark?: string;
                };
            };
        };
        responses: {
            /** @description A withdrawal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The withdrawal. */
                        id: number;
                        /** @description Whose money. */
                        user_id: number;
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Held at first.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description Still held.
                         */
                        remaining: string;
                        /**
                         * Format: decimal
                         * @description Paid out so far; of a withdrawal that was `cancelled` or `expired`, the part that was paid before the rest was given back.
                         */
                        settled: string;
                        /**
                         * Format: decimal
                         * @description Of what was paid out: undone since, by reversing its transfers. Absent when nothing was.
                         */
                        reversed?: string;
                        /**
                         * @description What became of the last part: see `settled` for how much was paid, and `reversed` for how much of it was undone.
                         * @enum {string}
                         */
                        status: "held" | "settled" | "cancelled" | "expired";
                        reference?: string;
                        remark?: string;
                        /** @description The transfer of the part that was just paid out; only in the answer to settling. */
                        transfer_id?: number;
                        /**
                         * Format: date-time
                         * @description When the money is given back by itself.
                         */
                        expires_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was held.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["unknown_user"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.insufficient_funds.account_closed.money_frozen"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    settleWithdrawal: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The withdrawal. */
                id: number;
            };
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description How much was paid out; default: all that remains. Above 0, at most 10^40 minor units, no more decimals than the currency has. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                    amount?: string | number;
                    /** @description Gives back what remains after this part; otherwise it stays held. Default: false. */
                    release_rest?: boolean;
                    /** @description Shown in the bill. */
                    remark?: string;
                };
            };
        };
        responses: {
            /** @description A withdrawal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The withdrawal. */
                        id: number;
                        /** @description Whose money. */
                        user_id: number;
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Held at first.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description Still held.
                         */
                        remaining: string;
                        /**
                         * Format: decimal
                         * @description Paid out so far; of a withdrawal that was `cancelled` or `expired`, the part that was paid before the rest was given back.
                         */
                        settled: string;
                        /**
                         * Format: decimal
                         * @description Of what was paid out: undone since, by reversing its transfers. Absent when nothing was.
                         */
                        reversed?: string;
                        /**
                         * @description What became of the last part: see `settled` for how much was paid, and `reversed` for how much of it was undone.
                         * @enum {string}
                         */
                        status: "held" | "settled" | "cancelled" | "expired";
                        reference?: string;
                        remark?: string;
                        /** @description The transfer of the part that was just paid out; only in the answer to settling. */
                        transfer_id?: number;
                        /**
                         * Format: date-time
                         * @description When the money is given back by itself.
                         */
                        expires_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was held.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.balance_too_large.hold_not_open.hold_expired.hold_too_small.hold_of_payout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelWithdrawal: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The withdrawal. */
                id: number;
            };
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description A withdrawal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The withdrawal. */
                        id: number;
                        /** @description Whose money. */
                        user_id: number;
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Held at first.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description Still held.
                         */
                        remaining: string;
                        /**
                         * Format: decimal
                         * @description Paid out so far; of a withdrawal that was `cancelled` or `expired`, the part that was paid before the rest was given back.
                         */
                        settled: string;
                        /**
                         * Format: decimal
                         * @description Of what was paid out: undone since, by reversing its transfers. Absent when nothing was.
                         */
                        reversed?: string;
                        /**
                         * @description What became of the last part: see `settled` for how much was paid, and `reversed` for how much of it was undone.
                         * @enum {string}
                         */
                        status: "held" | "settled" | "cancelled" | "expired";
                        reference?: string;
                        remark?: string;
                        /** @description The transfer of the part that was just paid out; only in the answer to settling. */
                        transfer_id?: number;
                        /**
                         * Format: date-time
                         * @description When the money is given back by itself.
                         */
                        expires_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was held.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.hold_not_open.hold_expired.hold_of_payout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The withdrawal. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A withdrawal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The withdrawal. */
                        id: number;
                        /** @description Whose money. */
                        user_id: number;
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Held at first.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description Still held.
                         */
                        remaining: string;
                        /**
                         * Format: decimal
                         * @description Paid out so far; of a withdrawal that was `cancelled` or `expired`, the part that was paid before the rest was given back.
                         */
                        settled: string;
                        /**
                         * Format: decimal
                         * @description Of what was paid out: undone since, by reversing its transfers. Absent when nothing was.
                         */
                        reversed?: string;
                        /**
                         * @description What became of the last part: see `settled` for how much was paid, and `reversed` for how much of it was undone.
                         * @enum {string}
                         */
                        status: "held" | "settled" | "cancelled" | "expired";
                        reference?: string;
                        remark?: string;
                        /** @description The transfer of the part that was just paid out; only in the answer to settling. */
                        transfer_id?: number;
                        /**
                         * Format: date-time
                         * @description When the money is given back by itself.
                         */
                        expires_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was held.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPrices: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest price of each pair. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Price"][];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setPrice: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Currency code. */
                    currency: string;
                    /** @description Currency code. */
                    quote_currency: string;
                    /** @description Units of `quote_currency` for one unit of `currency`; at most 30 decimals. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                    price: string | number;
                    /**
                     * Format: date-time
                     * @description When the price was made; default: now.
                     */
                    priced_at?: string;
                };
            };
        };
        responses: {
            /** @description The newest price of each pair. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Price"][];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putPriceFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Lower-case letters, digits and hyphens. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Asked by GET; https only, no private addresses, no redirects, 5 s, 64 KB. */
                    url: string;
                    /** @description JSON pointer (RFC 6901) to the price in the answer, for example `/data/0/last`: a number, or a string that holds one. Read digit by digit, exponents too; more than 30 decimals are rounded half to even. */
                    pointer: string;
                    /** @description Currency code. */
                    currency: string;
                    /** @description Currency code. */
                    quote_currency: string;
                    /** @description Seconds between two requests. */
                    every_s: number;
                };
            };
        };
        responses: {
            /** @description By name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceFeed"][];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deletePriceFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Lower-case letters, digits and hyphens. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceFeed"][];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPriceFeeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceFeed"][];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query: {
                /** @description A person; with `wallet`. */
                userId?: number;
                /** @description The person's wallet: `asset`, `bonus`, or another that was added. */
                wallet?: string;
                /** @description An account of the house, instead of a person, for example `adjustment`; `GET /operator/wallets` lists them. */
                house?: string;
                /** @description Only this one of the 16 shards of a house account. Absent: the whole account, its shards merged by time. */
                shard?: number;
                /** @description Currency code. */
                currency: string;
                /** @description First day. */
                beginTime?: string;
                /** @description Last day, included. */
                endTime?: string;
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of a statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        currency: string;
                        /** @description The shard asked for: balances and bills are of this one alone. */
                        shard?: number;
                        /** @description Of a house account: how many shards it has. */
                        shards?: number;
                        /**
                         * Format: decimal
                         * @description Balance, held part included, before the first bill of the range.
                         */
                        opening_balance: string;
                        /**
                         * Format: decimal
                         * @description The same after its last bill.
                         */
                        closing_balance: string;
                        /** @description Newest first. */
                        records: {
                            /** @description Bill. */
                            id: number;
                            /** @description The transfer that the bill is one side of: what `/operator/transfers/{id}/reverse` takes. */
                            transfer_id: number;
                            /** @description Currency code, for example `EDGE`. */
                            currency: string;
                            /** @description Transaction type, for example `deposit`. */
                            business_id: string;
                            /** @description 1 = credit, 2 = debit. */
                            amount_direction: number;
                            /**
                             * Format: decimal
                             * @description Positive.
                             */
                            amount: string;
                            /**
                             * Format: decimal
                             * @description Available balance and hold together, after this bill.
                             */
                            balance_after: string;
                            /** @description Of rewards. */
                            reward_type?: string;
                            /** @description The other side: `user:ID`, or an account of the house. */
                            counterparty?: string;
                            /** @description Reference of the business server. */
                            reference?: string;
                            remark?: string;
                            /**
                             * Format: date-time
                             * @description When it happened or was earned.
                             */
                            event_at: string;
                            /**
                             * Format: date-time
                             * @description When it was posted; bills are filtered and sorted by it.
                             */
                            created_at: string;
                        }[];
                        /** @description Bills on all pages together. */
                        total: number;
                        size: number;
                        current: number;
                        pages: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["unknown_user"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLedgerAccounts: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Per currency they sum to zero. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description An account of the house, or `users` for all people together. */
                        account: string;
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Credits minus debits.
                         */
                        balance: string;
                        /**
                         * Format: decimal
                         * @description How much can still be posted through the fullest shard of the account, in either direction: the debits and the credits of a shard each hold at most 10^78 - 1 minor units. Absent for `users`.
                         */
                        headroom?: string;
                    }[];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWalletKinds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description People's first, each in the order in which they were added. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Code, as `wallet` or `house` of an account takes it. */
                        wallet: string;
                        /** @description An account of the house; otherwise every person has one. */
                        house: boolean;
                    }[];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putWalletKind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Code: 2 to 32 small letters, digits and underscores, for example `savings`. */
                wallet: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An account of the house. Default: false, every person has one. */
                    house?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Code, as `wallet` or `house` of an account takes it. */
                        wallet: string;
                        /** @description An account of the house; otherwise every person has one. */
                        house: boolean;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["wallet_exists.wallet_limit"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLedgerHeads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerHead"][];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signLedgerHead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A signed head. Keep it outside of the database: `edge-account verify --heads FILE` finds whether anything before it is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: calendar-day
                         * @description UTC day that it closes; of one made on demand, the day it was made.
                         */
                        day: string;
                        /** @description Exactly the bytes that were signed: JSON with the position and keyed hash of every shard. */
                        body: string;
                        /** @description Ed25519 over `body`, base64url. */
                        signature: string;
                        /** @description Key that signed; see `/.well-known/ledger-keys.json`. */
                        kid: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOperatorLedgerKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JWK set (Ed25519). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            [key: string]: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLedgerKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JWK set (Ed25519). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            [key: string]: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportJournal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The journal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDepositAddress: {
        parameters: {
            query: {
                /** @description Code of the currency, for example `USDT`. */
                currency: string;
                /** @description Network, for example `ETHEREUM`. */
                currencyNetWork: string;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deposit address of the caller. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Code of the currency, for example `USDT`. */
                        currency: string;
                        /** @description Network, for example `ETHEREUM`. */
                        currency_network: string;
                        /** @description What people call the network, for example `Ethereum`. */
                        network_name: string;
                        /** @description Address to send to, checksummed. It stays the same. */
                        address: string;
                        /** @description Memo that must be given with the payment, on networks that have them. */
                        memo?: string;
                        /** @description The token contract; absent for the coin of the chain. */
                        contract_address?: string;
                        /** @description Decimals of the token on this network. */
                        decimals: number;
                        /**
                         * Format: decimal
                         * @description Smallest amount that is credited.
                         */
                        min_deposit: string;
                        /** @description Blocks, the one with the payment included, after which it is credited. */
                        required_confirmations: number;
                        /** @description How long that usually takes. */
                        estimated_seconds: number;
                        /**
                         * @description Present while the network is not watched: deposits are credited later, none is lost.
                         * @enum {boolean}
                         */
                        is_delayed?: true;
                        /** @description Link for wallets and QR codes (EIP-681 or BIP-21). */
                        uri: string;
                        /** @description What to mind before sending: show it beside the address. */
                        warning: string;
                        /**
                         * Format: date-time
                         * @description When the address was made.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            409: components["responses"]["network_unavailable"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeposits: {
        parameters: {
            query: {
                /** @description Only this currency. Code of the currency, for example `USDT`. `UNKNOWN` for tokens that are not supported. */
                currency?: string;
                /** @description First day, by `detected_at`, UTC. */
                beginTime?: string;
                /** @description Last day, by `detected_at`, UTC. */
                endTime?: string;
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty and carries the true total. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            /** @description Deposit. */
                            id: number;
                            /** @description Code of the currency, for example `USDT`. `UNKNOWN` for a token that is not supported. */
                            currency: string;
                            /** @description Network, for example `ETHEREUM`. */
                            currency_network: string;
                            /** @description What people call the network, for example `Ethereum`. */
                            network_name: string;
                            /**
                             * Format: decimal
                             * @description Amount as the chain says; of an unknown token, its smallest units.
                             */
                            amount: string;
                            /** @description Address that received it. */
                            address: string;
                            /** @description Address that sent it, where the chain says. */
                            from_address?: string;
                            /** @description The token contract; absent for the coin of the chain. */
                            contract_address?: string;
                            /** @description Transaction. */
                            tx_hash: string;
                            /** @description Position in the transaction: of the log, -1 for the coin itself; of the output on UTXO chains. */
                            event_ordinal: number;
                            /** @description Block that holds it, as last seen. */
                            block_number: number;
                            /** @description Hash of that block. */
                            block_hash: string;
                            /** @description Blocks since, that one included; 0 while it is in no block. */
                            confirmations: number;
                            /** @description Confirmations that it needs. */
                            required_confirmations: number;
                            /**
                             * @description `confirming`: waiting for confirmations; `credited`: in the wallet; `orphaned`: its block was replaced, back to confirming if it is included again; `reversed`: likewise after it was credited, and taken back; `below_minimum`, `unsupported`, `on_hold`, `rejected`: not credited, see `reason`.
                             * @enum {string}
                             */
                            status: "confirming" | "credited" | "orphaned" | "reversed" | "below_minimum" | "unsupported" | "on_hold" | "rejected";
                            /** @description Why it has this status. */
                            reason?: string;
                            /** @description Stable code of `reason`, absent where an operator wrote the text. More may be added: below_minimum, too_many_decimals, coin_not_supported, token_not_supported, switched_off, decimals_differ, ledger_refused, operator_looks, operator_rejected, operator_reversed, block_replaced, not_taken_back, waits_for_endpoints. */
                            reason_code?: string;
                            /** @description Values in `reason` by name: numbers, currencies and the like; absent without any. */
                            reason_values?: {
                                [key: string]: string;
                            };
                            /** @description Page of the transaction. */
                            explorer_url?: string;
                            /**
                             * Format: date-time
                             * @description First seen.
                             */
                            detected_at: string;
                            /**
                             * Format: date-time
                             * @description Had its confirmations.
                             */
                            confirmed_at?: string;
                            /**
                             * Format: date-time
                             * @description Credited.
                             */
                            credited_at?: string;
                            /**
                             * Format: date-time
                             * @description Taken back.
                             */
                            reversed_at?: string;
                        }[];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDeposit: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Deposit. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One deposit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Deposit. */
                        id: number;
                        /** @description Code of the currency, for example `USDT`. `UNKNOWN` for a token that is not supported. */
                        currency: string;
                        /** @description Network, for example `ETHEREUM`. */
                        currency_network: string;
                        /** @description What people call the network, for example `Ethereum`. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description Amount as the chain says; of an unknown token, its smallest units.
                         */
                        amount: string;
                        /** @description Address that received it. */
                        address: string;
                        /** @description Address that sent it, where the chain says. */
                        from_address?: string;
                        /** @description The token contract; absent for the coin of the chain. */
                        contract_address?: string;
                        /** @description Transaction. */
                        tx_hash: string;
                        /** @description Position in the transaction: of the log, -1 for the coin itself; of the output on UTXO chains. */
                        event_ordinal: number;
                        /** @description Block that holds it, as last seen. */
                        block_number: number;
                        /** @description Hash of that block. */
                        block_hash: string;
                        /** @description Blocks since, that one included; 0 while it is in no block. */
                        confirmations: number;
                        /** @description Confirmations that it needs. */
                        required_confirmations: number;
                        /**
                         * @description `confirming`: waiting for confirmations; `credited`: in the wallet; `orphaned`: its block was replaced, back to confirming if it is included again; `reversed`: likewise after it was credited, and taken back; `below_minimum`, `unsupported`, `on_hold`, `rejected`: not credited, see `reason`.
                         * @enum {string}
                         */
                        status: "confirming" | "credited" | "orphaned" | "reversed" | "below_minimum" | "unsupported" | "on_hold" | "rejected";
                        /** @description Why it has this status. */
                        reason?: string;
                        /** @description Stable code of `reason`, absent where an operator wrote the text. More may be added: below_minimum, too_many_decimals, coin_not_supported, token_not_supported, switched_off, decimals_differ, ledger_refused, operator_looks, operator_rejected, operator_reversed, block_replaced, not_taken_back, waits_for_endpoints. */
                        reason_code?: string;
                        /** @description Values in `reason` by name: numbers, currencies and the like; absent without any. */
                        reason_values?: {
                            [key: string]: string;
                        };
                        /** @description Page of the transaction. */
                        explorer_url?: string;
                        /**
                         * Format: date-time
                         * @description First seen.
                         */
                        detected_at: string;
                        /**
                         * Format: date-time
                         * @description Had its confirmations.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description Credited.
                         */
                        credited_at?: string;
                        /**
                         * Format: date-time
                         * @description Taken back.
                         */
                        reversed_at?: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putChain: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Code of the network, for example `ETHEREUM`. */
                network: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Nodes, preferred first. Kept encrypted, never shown. */
                    rpc_urls?: string[];
                    /** @description Extended public key of an account; a private one is refused. */
                    xpub?: string;
                    /** @description With a new `xpub`: everyone gets a new address at the next request, and every network of the family takes the new key; old addresses stay watched. Without it everyone keeps the address they have, and only others get one of the new key. */
                    retire_addresses?: boolean;
                    /** @description Blocks after which a deposit is credited. */
                    required_confirmations?: number;
                    /** @description Also wait for the chain's own `finalized` block. */
                    uses_finalized?: boolean;
                    /** @description Blocks remembered; a deeper reorganisation halts the network. */
                    reorg_window?: number;
                    /** @description Usual time between blocks. */
                    block_ms?: number;
                    /** @description Time between two looks at the chain. */
                    poll_ms?: number;
                    /** @description Page of a transaction, with `{tx}` for its hash. */
                    explorer_url?: string;
                    /** @description First block to read; default: the head when first seen. */
                    start_height?: number;
                    /** @description Default: true once it has nodes and a public key. */
                    is_enabled?: boolean;
                    /**
                     * @description Kind of chain; only for a network that is not known by name.
                     * @enum {string}
                     */
                    kind?: "evm" | "utxo";
                    /** @description Name for people, who see it where they choose the network; only for a new one. */
                    name?: string;
                    /** @description EIP-155 chain id; only for a new EVM network. */
                    chain_id?: number;
                    /** @description First part of bech32 addresses; only for a new UTXO network. */
                    address_prefix?: string;
                    /** @description Currency of the chain's own coin: no other is taken for it. Can be corrected while nothing was credited as another. */
                    coin?: string;
                    /** @description Scheme of payment links; only for a new UTXO network. */
                    uri_scheme?: string;
                };
            };
        };
        responses: {
            /** @description A network. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        network: string;
                        name: string;
                        /**
                         * @description Kind of chain.
                         * @enum {string}
                         */
                        kind: "evm" | "utxo";
                        chain_id?: number;
                        is_enabled: boolean;
                        /** @description The public key that derives addresses. */
                        xpub?: string;
                        required_confirmations: number;
                        uses_finalized: boolean;
                        reorg_window: number;
                        poll_ms: number;
                        tokens: {
                            currency: string;
                            contract_address?: string;
                            decimals: number;
                            /**
                             * Format: decimal
                             * @description Smallest amount that is credited.
                             */
                            min_deposit: string;
                            is_enabled: boolean;
                            /** @description Why its deposits are held. */
                            distrust_reason?: string;
                            /** @description Stable code of `distrust_reason`, absent where an operator wrote the text. More may be added: below_minimum, too_many_decimals, coin_not_supported, token_not_supported, switched_off, decimals_differ, ledger_refused, operator_looks, operator_rejected, operator_reversed, block_replaced, not_taken_back, waits_for_endpoints. */
                            distrust_reason_code?: string;
                            /** @description Values in `distrust_reason` by name: numbers, currencies and the like; absent without any. */
                            distrust_reason_values?: {
                                [key: string]: string;
                            };
                        }[];
                        endpoints: {
                            /** @description Without path, query and password. */
                            url: string;
                            is_healthy?: boolean;
                            head_height?: number;
                            /** @description Failures since it last answered. */
                            failures?: number;
                            /** @description How it failed last. */
                            last_error?: string;
                            /** @description Stable code of `last_error`, absent where an operator wrote the text. More may be added: no_endpoints, no_endpoint_answers, wrong_chain, behind, head_without_block, block_lost, block_not_following, block_replaced_meanwhile, other_block_came, transaction_elsewhere, transaction_in_two_blocks, log_elsewhere, logs_collide, logs_missing, receipts_missing, receipt_missing, receipt_elsewhere, backfill_differs, backfill_broken, field_missing, field_malformed, refused, too_slow, no_connection, http_status, too_large, no_json, no_object, no_result. */
                            last_error_code?: string;
                            /** @description Values in `last_error` by name: numbers, currencies and the like; absent without any. */
                            last_error_values?: {
                                [key: string]: string;
                            };
                        }[];
                        /**
                         * @description State of the watcher; `stalled`: no process has polled the chain for a while, no endpoint can be used, or all are far behind the blocks that were read.
                         * @enum {string}
                         */
                        state: "unconfigured" | "disabled" | "starting" | "following" | "catching_up" | "stalled" | "halted";
                        /** @description Last block that was read. */
                        cursor_height?: number;
                        cursor_hash?: string;
                        /** @description Head of the chain when last seen. */
                        head_height?: number;
                        finalized_height?: number;
                        /** @description Blocks between cursor and head; also when the endpoints are behind. */
                        lag?: number;
                        /**
                         * Format: date-time
                         * @description Since when it is halted.
                         */
                        halted_at?: string;
                        /** @description Why, and what to do. */
                        halted_reason?: string;
                        /** @description Stable code of `halted_reason`, absent where an operator wrote the text. More may be added: reorganisation_too_deep, first_block_replaced. */
                        halted_reason_code?: string;
                        /** @description Values in `halted_reason` by name: numbers, currencies and the like; absent without any. */
                        halted_reason_values?: {
                            [key: string]: string;
                        };
                        /** @description What keeps it waiting. */
                        note?: string;
                        /** @description Stable code of `note`, absent where an operator wrote the text. More may be added: block_awaited, endpoints_disagree, one_endpoint_has_it, one_endpoint_differs, read_otherwise, block_not_shown, endpoint_behind, endpoint_changed_its_mind, no_finalized_tag, another_watcher, no_endpoints, no_endpoint_answers, wrong_chain, behind, head_without_block, block_lost, block_not_following, block_replaced_meanwhile, other_block_came, transaction_elsewhere, transaction_in_two_blocks, log_elsewhere, logs_collide, logs_missing, receipts_missing, receipt_missing, receipt_elsewhere, backfill_differs, backfill_broken, field_missing, field_malformed, refused, too_slow, no_connection, http_status, too_large, no_json, no_object, no_result. */
                        note_code?: string;
                        /** @description Values in `note` by name: numbers, currencies and the like; absent without any. */
                        note_values?: {
                            [key: string]: string;
                        };
                        /**
                         * Format: date-time
                         * @description Last poll of the chain.
                         */
                        checked_at?: string;
                        /**
                         * Format: date-time
                         * @description Last poll that an endpoint answered.
                         */
                        answered_at?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["chain_id_taken"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putChainToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Code of the network, for example `ETHEREUM`. */
                network: string;
                /** @description Code of the currency. */
                currency: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Contract of the token; absent for the chain's own coin. */
                    contract_address?: string;
                    /** @description Decimals of the token on this network; compared with what the contract says. */
                    decimals: number;
                    /** @description Smallest amount that is credited. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                    min_deposit: string | number;
                    /** @description Default true. While false, what arrives is shown as unsupported; it is credited once enabled again. */
                    is_enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description A network. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        network: string;
                        name: string;
                        /**
                         * @description Kind of chain.
                         * @enum {string}
                         */
                        kind: "evm" | "utxo";
                        chain_id?: number;
                        is_enabled: boolean;
                        /** @description The public key that derives addresses. */
                        xpub?: string;
                        required_confirmations: number;
                        uses_finalized: boolean;
                        reorg_window: number;
                        poll_ms: number;
                        tokens: {
                            currency: string;
                            contract_address?: string;
                            decimals: number;
                            /**
                             * Format: decimal
                             * @description Smallest amount that is credited.
                             */
                            min_deposit: string;
                            is_enabled: boolean;
                            /** @description Why its deposits are held. */
                            distrust_reason?: string;
                            /** @description Stable code of `distrust_reason`, absent where an operator wrote the text. More may be added: below_minimum, too_many_decimals, coin_not_supported, token_not_supported, switched_off, decimals_differ, ledger_refused, operator_looks, operator_rejected, operator_reversed, block_replaced, not_taken_back, waits_for_endpoints. */
                            distrust_reason_code?: string;
                            /** @description Values in `distrust_reason` by name: numbers, currencies and the like; absent without any. */
                            distrust_reason_values?: {
                                [key: string]: string;
                            };
                        }[];
                        endpoints: {
                            /** @description Without path, query and password. */
                            url: string;
                            is_healthy?: boolean;
                            head_height?: number;
                            /** @description Failures since it last answered. */
                            failures?: number;
                            /** @description How it failed last. */
                            last_error?: string;
                            /** @description Stable code of `last_error`, absent where an operator wrote the text. More may be added: no_endpoints, no_endpoint_answers, wrong_chain, behind, head_without_block, block_lost, block_not_following, block_replaced_meanwhile, other_block_came, transaction_elsewhere, transaction_in_two_blocks, log_elsewhere, logs_collide, logs_missing, receipts_missing, receipt_missing, receipt_elsewhere, backfill_differs, backfill_broken, field_missing, field_malformed, refused, too_slow, no_connection, http_status, too_large, no_json, no_object, no_result. */
                            last_error_code?: string;
                            /** @description Values in `last_error` by name: numbers, currencies and the like; absent without any. */
                            last_error_values?: {
                                [key: string]: string;
                            };
                        }[];
                        /**
                         * @description State of the watcher; `stalled`: no process has polled the chain for a while, no endpoint can be used, or all are far behind the blocks that were read.
                         * @enum {string}
                         */
                        state: "unconfigured" | "disabled" | "starting" | "following" | "catching_up" | "stalled" | "halted";
                        /** @description Last block that was read. */
                        cursor_height?: number;
                        cursor_hash?: string;
                        /** @description Head of the chain when last seen. */
                        head_height?: number;
                        finalized_height?: number;
                        /** @description Blocks between cursor and head; also when the endpoints are behind. */
                        lag?: number;
                        /**
                         * Format: date-time
                         * @description Since when it is halted.
                         */
                        halted_at?: string;
                        /** @description Why, and what to do. */
                        halted_reason?: string;
                        /** @description Stable code of `halted_reason`, absent where an operator wrote the text. More may be added: reorganisation_too_deep, first_block_replaced. */
                        halted_reason_code?: string;
                        /** @description Values in `halted_reason` by name: numbers, currencies and the like; absent without any. */
                        halted_reason_values?: {
                            [key: string]: string;
                        };
                        /** @description What keeps it waiting. */
                        note?: string;
                        /** @description Stable code of `note`, absent where an operator wrote the text. More may be added: block_awaited, endpoints_disagree, one_endpoint_has_it, one_endpoint_differs, read_otherwise, block_not_shown, endpoint_behind, endpoint_changed_its_mind, no_finalized_tag, another_watcher, no_endpoints, no_endpoint_answers, wrong_chain, behind, head_without_block, block_lost, block_not_following, block_replaced_meanwhile, other_block_came, transaction_elsewhere, transaction_in_two_blocks, log_elsewhere, logs_collide, logs_missing, receipts_missing, receipt_missing, receipt_elsewhere, backfill_differs, backfill_broken, field_missing, field_malformed, refused, too_slow, no_connection, http_status, too_large, no_json, no_object, no_result. */
                        note_code?: string;
                        /** @description Values in `note` by name: numbers, currencies and the like; absent without any. */
                        note_values?: {
                            [key: string]: string;
                        };
                        /**
                         * Format: date-time
                         * @description Last poll of the chain.
                         */
                        checked_at?: string;
                        /**
                         * Format: date-time
                         * @description Last poll that an endpoint answered.
                         */
                        answered_at?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["token_mismatch"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChains: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        network: string;
                        name: string;
                        /**
                         * @description Kind of chain.
                         * @enum {string}
                         */
                        kind: "evm" | "utxo";
                        chain_id?: number;
                        is_enabled: boolean;
                        /** @description The public key that derives addresses. */
                        xpub?: string;
                        required_confirmations: number;
                        uses_finalized: boolean;
                        reorg_window: number;
                        poll_ms: number;
                        tokens: {
                            currency: string;
                            contract_address?: string;
                            decimals: number;
                            /**
                             * Format: decimal
                             * @description Smallest amount that is credited.
                             */
                            min_deposit: string;
                            is_enabled: boolean;
                            /** @description Why its deposits are held. */
                            distrust_reason?: string;
                            /** @description Stable code of `distrust_reason`, absent where an operator wrote the text. More may be added: below_minimum, too_many_decimals, coin_not_supported, token_not_supported, switched_off, decimals_differ, ledger_refused, operator_looks, operator_rejected, operator_reversed, block_replaced, not_taken_back, waits_for_endpoints. */
                            distrust_reason_code?: string;
                            /** @description Values in `distrust_reason` by name: numbers, currencies and the like; absent without any. */
                            distrust_reason_values?: {
                                [key: string]: string;
                            };
                        }[];
                        endpoints: {
                            /** @description Without path, query and password. */
                            url: string;
                            is_healthy?: boolean;
                            head_height?: number;
                            /** @description Failures since it last answered. */
                            failures?: number;
                            /** @description How it failed last. */
                            last_error?: string;
                            /** @description Stable code of `last_error`, absent where an operator wrote the text. More may be added: no_endpoints, no_endpoint_answers, wrong_chain, behind, head_without_block, block_lost, block_not_following, block_replaced_meanwhile, other_block_came, transaction_elsewhere, transaction_in_two_blocks, log_elsewhere, logs_collide, logs_missing, receipts_missing, receipt_missing, receipt_elsewhere, backfill_differs, backfill_broken, field_missing, field_malformed, refused, too_slow, no_connection, http_status, too_large, no_json, no_object, no_result. */
                            last_error_code?: string;
                            /** @description Values in `last_error` by name: numbers, currencies and the like; absent without any. */
                            last_error_values?: {
                                [key: string]: string;
                            };
                        }[];
                        /**
                         * @description State of the watcher; `stalled`: no process has polled the chain for a while, no endpoint can be used, or all are far behind the blocks that were read.
                         * @enum {string}
                         */
                        state: "unconfigured" | "disabled" | "starting" | "following" | "catching_up" | "stalled" | "halted";
                        /** @description Last block that was read. */
                        cursor_height?: number;
                        cursor_hash?: string;
                        /** @description Head of the chain when last seen. */
                        head_height?: number;
                        finalized_height?: number;
                        /** @description Blocks between cursor and head; also when the endpoints are behind. */
                        lag?: number;
                        /**
                         * Format: date-time
                         * @description Since when it is halted.
                         */
                        halted_at?: string;
                        /** @description Why, and what to do. */
                        halted_reason?: string;
                        /** @description Stable code of `halted_reason`, absent where an operator wrote the text. More may be added: reorganisation_too_deep, first_block_replaced. */
                        halted_reason_code?: string;
                        /** @description Values in `halted_reason` by name: numbers, currencies and the like; absent without any. */
                        halted_reason_values?: {
                            [key: string]: string;
                        };
                        /** @description What keeps it waiting. */
                        note?: string;
                        /** @description Stable code of `note`, absent where an operator wrote the text. More may be added: block_awaited, endpoints_disagree, one_endpoint_has_it, one_endpoint_differs, read_otherwise, block_not_shown, endpoint_behind, endpoint_changed_its_mind, no_finalized_tag, another_watcher, no_endpoints, no_endpoint_answers, wrong_chain, behind, head_without_block, block_lost, block_not_following, block_replaced_meanwhile, other_block_came, transaction_elsewhere, transaction_in_two_blocks, log_elsewhere, logs_collide, logs_missing, receipts_missing, receipt_missing, receipt_elsewhere, backfill_differs, backfill_broken, field_missing, field_malformed, refused, too_slow, no_connection, http_status, too_large, no_json, no_object, no_result. */
                        note_code?: string;
                        /** @description Values in `note` by name: numbers, currencies and the like; absent without any. */
                        note_values?: {
                            [key: string]: string;
                        };
                        /**
                         * Format: date-time
                         * @description Last poll of the chain.
                         */
                        checked_at?: string;
                        /**
                         * Format: date-time
                         * @description Last poll that an endpoint answered.
                         */
                        answered_at?: string;
                    }[];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    backfillChain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Code of the network, for example `ETHEREUM`. */
                network: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description First block to read. */
                    from_height: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        backfill_id: number;
                        from_height: number;
                        to_height: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["chain_not_started"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeChain: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Code of the network, for example `ETHEREUM`. */
                network: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The last block that is believed. */
                    height: number;
                    /** @description Its hash, as the operator checked it. */
                    hash: string;
                };
            };
        };
        responses: {
            /** @description A network. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        network: string;
                        name: string;
                        /**
                         * @description Kind of chain.
                         * @enum {string}
                         */
                        kind: "evm" | "utxo";
                        chain_id?: number;
                        is_enabled: boolean;
                        /** @description The public key that derives addresses. */
                        xpub?: string;
                        required_confirmations: number;
                        uses_finalized: boolean;
                        reorg_window: number;
                        poll_ms: number;
                        tokens: {
                            currency: string;
                            contract_address?: string;
                            decimals: number;
                            /**
                             * Format: decimal
                             * @description Smallest amount that is credited.
                             */
                            min_deposit: string;
                            is_enabled: boolean;
                            /** @description Why its deposits are held. */
                            distrust_reason?: string;
                            /** @description Stable code of `distrust_reason`, absent where an operator wrote the text. More may be added: below_minimum, too_many_decimals, coin_not_supported, token_not_supported, switched_off, decimals_differ, ledger_refused, operator_looks, operator_rejected, operator_reversed, block_replaced, not_taken_back, waits_for_endpoints. */
                            distrust_reason_code?: string;
                            /** @description Values in `distrust_reason` by name: numbers, currencies and the like; absent without any. */
                            distrust_reason_values?: {
                                [key: string]: string;
                            };
                        }[];
                        endpoints: {
                            /** @description Without path, query and password. */
                            url: string;
                            is_healthy?: boolean;
                            head_height?: number;
                            /** @description Failures since it last answered. */
                            failures?: number;
                            /** @description How it failed last. */
                            last_error?: string;
                            /** @description Stable code of `last_error`, absent where an operator wrote the text. More may be added: no_endpoints, no_endpoint_answers, wrong_chain, behind, head_without_block, block_lost, block_not_following, block_replaced_meanwhile, other_block_came, transaction_elsewhere, transaction_in_two_blocks, log_elsewhere, logs_collide, logs_missing, receipts_missing, receipt_missing, receipt_elsewhere, backfill_differs, backfill_broken, field_missing, field_malformed, refused, too_slow, no_connection, http_status, too_large, no_json, no_object, no_result. */
                            last_error_code?: string;
                            /** @description Values in `last_error` by name: numbers, currencies and the like; absent without any. */
                            last_error_values?: {
                                [key: string]: string;
                            };
                        }[];
                        /**
                         * @description State of the watcher; `stalled`: no process has polled the chain for a while, no endpoint can be used, or all are far behind the blocks that were read.
                         * @enum {string}
                         */
                        state: "unconfigured" | "disabled" | "starting" | "following" | "catching_up" | "stalled" | "halted";
                        /** @description Last block that was read. */
                        cursor_height?: number;
                        cursor_hash?: string;
                        /** @description Head of the chain when last seen. */
                        head_height?: number;
                        finalized_height?: number;
                        /** @description Blocks between cursor and head; also when the endpoints are behind. */
                        lag?: number;
                        /**
                         * Format: date-time
                         * @description Since when it is halted.
                         */
                        halted_at?: string;
                        /** @description Why, and what to do. */
                        halted_reason?: string;
                        /** @description Stable code of `halted_reason`, absent where an operator wrote the text. More may be added: reorganisation_too_deep, first_block_replaced. */
                        halted_reason_code?: string;
                        /** @description Values in `halted_reason` by name: numbers, currencies and the like; absent without any. */
                        halted_reason_values?: {
                            [key: string]: string;
                        };
                        /** @description What keeps it waiting. */
                        note?: string;
                        /** @description Stable code of `note`, absent where an operator wrote the text. More may be added: block_awaited, endpoints_disagree, one_endpoint_has_it, one_endpoint_differs, read_otherwise, block_not_shown, endpoint_behind, endpoint_changed_its_mind, no_finalized_tag, another_watcher, no_endpoints, no_endpoint_answers, wrong_chain, behind, head_without_block, block_lost, block_not_following, block_replaced_meanwhile, other_block_came, transaction_elsewhere, transaction_in_two_blocks, log_elsewhere, logs_collide, logs_missing, receipts_missing, receipt_missing, receipt_elsewhere, backfill_differs, backfill_broken, field_missing, field_malformed, refused, too_slow, no_connection, http_status, too_large, no_json, no_object, no_result. */
                        note_code?: string;
                        /** @description Values in `note` by name: numbers, currencies and the like; absent without any. */
                        note_values?: {
                            [key: string]: string;
                        };
                        /**
                         * Format: date-time
                         * @description Last poll of the chain.
                         */
                        checked_at?: string;
                        /**
                         * Format: date-time
                         * @description Last poll that an endpoint answered.
                         */
                        answered_at?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["chain_not_halted.block_mismatch"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable.chain_unreachable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    haltChain: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Code of the network, for example `ETHEREUM`. */
                network: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Shown wherever the halt is. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description A network. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        network: string;
                        name: string;
                        /**
                         * @description Kind of chain.
                         * @enum {string}
                         */
                        kind: "evm" | "utxo";
                        chain_id?: number;
                        is_enabled: boolean;
                        /** @description The public key that derives addresses. */
                        xpub?: string;
                        required_confirmations: number;
                        uses_finalized: boolean;
                        reorg_window: number;
                        poll_ms: number;
                        tokens: {
                            currency: string;
                            contract_address?: string;
                            decimals: number;
                            /**
                             * Format: decimal
                             * @description Smallest amount that is credited.
                             */
                            min_deposit: string;
                            is_enabled: boolean;
                            /** @description Why its deposits are held. */
                            distrust_reason?: string;
                            /** @description Stable code of `distrust_reason`, absent where an operator wrote the text. More may be added: below_minimum, too_many_decimals, coin_not_supported, token_not_supported, switched_off, decimals_differ, ledger_refused, operator_looks, operator_rejected, operator_reversed, block_replaced, not_taken_back, waits_for_endpoints. */
                            distrust_reason_code?: string;
                            /** @description Values in `distrust_reason` by name: numbers, currencies and the like; absent without any. */
                            distrust_reason_values?: {
                                [key: string]: string;
                            };
                        }[];
                        endpoints: {
                            /** @description Without path, query and password. */
                            url: string;
                            is_healthy?: boolean;
                            head_height?: number;
                            /** @description Failures since it last answered. */
                            failures?: number;
                            /** @description How it failed last. */
                            last_error?: string;
                            /** @description Stable code of `last_error`, absent where an operator wrote the text. More may be added: no_endpoints, no_endpoint_answers, wrong_chain, behind, head_without_block, block_lost, block_not_following, block_replaced_meanwhile, other_block_came, transaction_elsewhere, transaction_in_two_blocks, log_elsewhere, logs_collide, logs_missing, receipts_missing, receipt_missing, receipt_elsewhere, backfill_differs, backfill_broken, field_missing, field_malformed, refused, too_slow, no_connection, http_status, too_large, no_json, no_object, no_result. */
                            last_error_code?: string;
                            /** @description Values in `last_error` by name: numbers, currencies and the like; absent without any. */
                            last_error_values?: {
                                [key: string]: string;
                            };
                        }[];
                        /**
                         * @description State of the watcher; `stalled`: no process has polled the chain for a while, no endpoint can be used, or all are far behind the blocks that were read.
                         * @enum {string}
                         */
                        state: "unconfigured" | "disabled" | "starting" | "following" | "catching_up" | "stalled" | "halted";
                        /** @description Last block that was read. */
                        cursor_height?: number;
                        cursor_hash?: string;
                        /** @description Head of the chain when last seen. */
                        head_height?: number;
                        finalized_height?: number;
                        /** @description Blocks between cursor and head; also when the endpoints are behind. */
                        lag?: number;
                        /**
                         * Format: date-time
                         * @description Since when it is halted.
                         */
                        halted_at?: string;
                        /** @description Why, and what to do. */
                        halted_reason?: string;
                        /** @description Stable code of `halted_reason`, absent where an operator wrote the text. More may be added: reorganisation_too_deep, first_block_replaced. */
                        halted_reason_code?: string;
                        /** @description Values in `halted_reason` by name: numbers, currencies and the like; absent without any. */
                        halted_reason_values?: {
                            [key: string]: string;
                        };
                        /** @description What keeps it waiting. */
                        note?: string;
                        /** @description Stable code of `note`, absent where an operator wrote the text. More may be added: block_awaited, endpoints_disagree, one_endpoint_has_it, one_endpoint_differs, read_otherwise, block_not_shown, endpoint_behind, endpoint_changed_its_mind, no_finalized_tag, another_watcher, no_endpoints, no_endpoint_answers, wrong_chain, behind, head_without_block, block_lost, block_not_following, block_replaced_meanwhile, other_block_came, transaction_elsewhere, transaction_in_two_blocks, log_elsewhere, logs_collide, logs_missing, receipts_missing, receipt_missing, receipt_elsewhere, backfill_differs, backfill_broken, field_missing, field_malformed, refused, too_slow, no_connection, http_status, too_large, no_json, no_object, no_result. */
                        note_code?: string;
                        /** @description Values in `note` by name: numbers, currencies and the like; absent without any. */
                        note_values?: {
                            [key: string]: string;
                        };
                        /**
                         * Format: date-time
                         * @description Last poll of the chain.
                         */
                        checked_at?: string;
                        /**
                         * Format: date-time
                         * @description Last poll that an endpoint answered.
                         */
                        answered_at?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["chain_not_started"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putCurrency: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Code: 2 to 16 capital letters and digits, for example `BTC`. */
                currency: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Decimals of one unit, for example 8. */
                    scale: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Code. */
                        currency: string;
                        /** @description Decimals of one unit. It never changes. */
                        scale: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["currency_exists"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAllDeposits: {
        parameters: {
            query: {
                /** @description Only of this person. */
                userId?: number;
                /** @description Only this currency; `UNKNOWN` for tokens that are not supported. */
                currency?: string;
                /** @description Only on this network. */
                currencyNetWork?: string;
                /** @description Only with this status. */
                status?: "confirming" | "credited" | "orphaned" | "reversed" | "below_minimum" | "unsupported" | "on_hold" | "rejected";
                /** @description First day, by `detected_at`, UTC. */
                beginTime?: string;
                /** @description Last day, by `detected_at`, UTC. */
                endTime?: string;
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty. At most 10000 are counted and reachable; deeper pages are 400 `too_deep`: narrow the filter. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            /** @description The person whose deposit it is. */
                            user_id: number;
                            /** @description Deposit. */
                            id: number;
                            /** @description Code of the currency, for example `USDT`. `UNKNOWN` for a token that is not supported. */
                            currency: string;
                            /** @description Network, for example `ETHEREUM`. */
                            currency_network: string;
                            /** @description What people call the network, for example `Ethereum`. */
                            network_name: string;
                            /**
                             * Format: decimal
                             * @description Amount as the chain says; of an unknown token, its smallest units.
                             */
                            amount: string;
                            /** @description Address that received it. */
                            address: string;
                            /** @description Address that sent it, where the chain says. */
                            from_address?: string;
                            /** @description The token contract; absent for the coin of the chain. */
                            contract_address?: string;
                            /** @description Transaction. */
                            tx_hash: string;
                            /** @description Position in the transaction: of the log, -1 for the coin itself; of the output on UTXO chains. */
                            event_ordinal: number;
                            /** @description Block that holds it, as last seen. */
                            block_number: number;
                            /** @description Hash of that block. */
                            block_hash: string;
                            /** @description Blocks since, that one included; 0 while it is in no block. */
                            confirmations: number;
                            /** @description Confirmations that it needs. */
                            required_confirmations: number;
                            /**
                             * @description `confirming`: waiting for confirmations; `credited`: in the wallet; `orphaned`: its block was replaced, back to confirming if it is included again; `reversed`: likewise after it was credited, and taken back; `below_minimum`, `unsupported`, `on_hold`, `rejected`: not credited, see `reason`.
                             * @enum {string}
                             */
                            status: "confirming" | "credited" | "orphaned" | "reversed" | "below_minimum" | "unsupported" | "on_hold" | "rejected";
                            /** @description Why it has this status. */
                            reason?: string;
                            /** @description Stable code of `reason`, absent where an operator wrote the text. More may be added: below_minimum, too_many_decimals, coin_not_supported, token_not_supported, switched_off, decimals_differ, ledger_refused, operator_looks, operator_rejected, operator_reversed, block_replaced, not_taken_back, waits_for_endpoints. */
                            reason_code?: string;
                            /** @description Values in `reason` by name: numbers, currencies and the like; absent without any. */
                            reason_values?: {
                                [key: string]: string;
                            };
                            /** @description Page of the transaction. */
                            explorer_url?: string;
                            /**
                             * Format: date-time
                             * @description First seen.
                             */
                            detected_at: string;
                            /**
                             * Format: date-time
                             * @description Had its confirmations.
                             */
                            confirmed_at?: string;
                            /**
                             * Format: date-time
                             * @description Credited.
                             */
                            credited_at?: string;
                            /**
                             * Format: date-time
                             * @description Taken back.
                             */
                            reversed_at?: string;
                        }[];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                        /** @description True for more than 10000 records; `total` is then 10000. */
                        is_capped?: boolean;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    holdDeposit: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Deposit. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Shown to the person whose deposit it is. Default: that an operator did so. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description One deposit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The person whose deposit it is. */
                        user_id: number;
                        /** @description Deposit. */
                        id: number;
                        /** @description Code of the currency, for example `USDT`. `UNKNOWN` for a token that is not supported. */
                        currency: string;
                        /** @description Network, for example `ETHEREUM`. */
                        currency_network: string;
                        /** @description What people call the network, for example `Ethereum`. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description Amount as the chain says; of an unknown token, its smallest units.
                         */
                        amount: string;
                        /** @description Address that received it. */
                        address: string;
                        /** @description Address that sent it, where the chain says. */
                        from_address?: string;
                        /** @description The token contract; absent for the coin of the chain. */
                        contract_address?: string;
                        /** @description Transaction. */
                        tx_hash: string;
                        /** @description Position in the transaction: of the log, -1 for the coin itself; of the output on UTXO chains. */
                        event_ordinal: number;
                        /** @description Block that holds it, as last seen. */
                        block_number: number;
                        /** @description Hash of that block. */
                        block_hash: string;
                        /** @description Blocks since, that one included; 0 while it is in no block. */
                        confirmations: number;
                        /** @description Confirmations that it needs. */
                        required_confirmations: number;
                        /**
                         * @description `confirming`: waiting for confirmations; `credited`: in the wallet; `orphaned`: its block was replaced, back to confirming if it is included again; `reversed`: likewise after it was credited, and taken back; `below_minimum`, `unsupported`, `on_hold`, `rejected`: not credited, see `reason`.
                         * @enum {string}
                         */
                        status: "confirming" | "credited" | "orphaned" | "reversed" | "below_minimum" | "unsupported" | "on_hold" | "rejected";
                        /** @description Why it has this status. */
                        reason?: string;
                        /** @description Stable code of `reason`, absent where an operator wrote the text. More may be added: below_minimum, too_many_decimals, coin_not_supported, token_not_supported, switched_off, decimals_differ, ledger_refused, operator_looks, operator_rejected, operator_reversed, block_replaced, not_taken_back, waits_for_endpoints. */
                        reason_code?: string;
                        /** @description Values in `reason` by name: numbers, currencies and the like; absent without any. */
                        reason_values?: {
                            [key: string]: string;
                        };
                        /** @description Page of the transaction. */
                        explorer_url?: string;
                        /**
                         * Format: date-time
                         * @description First seen.
                         */
                        detected_at: string;
                        /**
                         * Format: date-time
                         * @description Had its confirmations.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description Credited.
                         */
                        credited_at?: string;
                        /**
                         * Format: date-time
                         * @description Taken back.
                         */
                        reversed_at?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.deposit_not_open"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    releaseDeposit: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Deposit. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Shown to the person whose deposit it is. Default: that an operator did so. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description One deposit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The person whose deposit it is. */
                        user_id: number;
                        /** @description Deposit. */
                        id: number;
                        /** @description Code of the currency, for example `USDT`. `UNKNOWN` for a token that is not supported. */
                        currency: string;
                        /** @description Network, for example `ETHEREUM`. */
                        currency_network: string;
                        /** @description What people call the network, for example `Ethereum`. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description Amount as the chain says; of an unknown token, its smallest units.
                         */
                        amount: string;
                        /** @description Address that received it. */
                        address: string;
                        /** @description Address that sent it, where the chain says. */
                        from_address?: string;
                        /** @description The token contract; absent for the coin of the chain. */
                        contract_address?: string;
                        /** @description Transaction. */
                        tx_hash: string;
                        /** @description Position in the transaction: of the log, -1 for the coin itself; of the output on UTXO chains. */
                        event_ordinal: number;
                        /** @description Block that holds it, as last seen. */
                        block_number: number;
                        /** @description Hash of that block. */
                        block_hash: string;
                        /** @description Blocks since, that one included; 0 while it is in no block. */
                        confirmations: number;
                        /** @description Confirmations that it needs. */
                        required_confirmations: number;
                        /**
                         * @description `confirming`: waiting for confirmations; `credited`: in the wallet; `orphaned`: its block was replaced, back to confirming if it is included again; `reversed`: likewise after it was credited, and taken back; `below_minimum`, `unsupported`, `on_hold`, `rejected`: not credited, see `reason`.
                         * @enum {string}
                         */
                        status: "confirming" | "credited" | "orphaned" | "reversed" | "below_minimum" | "unsupported" | "on_hold" | "rejected";
                        /** @description Why it has this status. */
                        reason?: string;
                        /** @description Stable code of `reason`, absent where an operator wrote the text. More may be added: below_minimum, too_many_decimals, coin_not_supported, token_not_supported, switched_off, decimals_differ, ledger_refused, operator_looks, operator_rejected, operator_reversed, block_replaced, not_taken_back, waits_for_endpoints. */
                        reason_code?: string;
                        /** @description Values in `reason` by name: numbers, currencies and the like; absent without any. */
                        reason_values?: {
                            [key: string]: string;
                        };
                        /** @description Page of the transaction. */
                        explorer_url?: string;
                        /**
                         * Format: date-time
                         * @description First seen.
                         */
                        detected_at: string;
                        /**
                         * Format: date-time
                         * @description Had its confirmations.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description Credited.
                         */
                        credited_at?: string;
                        /**
                         * Format: date-time
                         * @description Taken back.
                         */
                        reversed_at?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.deposit_not_open"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rejectDeposit: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Deposit. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Shown to the person whose deposit it is. Default: that an operator did so. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description One deposit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The person whose deposit it is. */
                        user_id: number;
                        /** @description Deposit. */
                        id: number;
                        /** @description Code of the currency, for example `USDT`. `UNKNOWN` for a token that is not supported. */
                        currency: string;
                        /** @description Network, for example `ETHEREUM`. */
                        currency_network: string;
                        /** @description What people call the network, for example `Ethereum`. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description Amount as the chain says; of an unknown token, its smallest units.
                         */
                        amount: string;
                        /** @description Address that received it. */
                        address: string;
                        /** @description Address that sent it, where the chain says. */
                        from_address?: string;
                        /** @description The token contract; absent for the coin of the chain. */
                        contract_address?: string;
                        /** @description Transaction. */
                        tx_hash: string;
                        /** @description Position in the transaction: of the log, -1 for the coin itself; of the output on UTXO chains. */
                        event_ordinal: number;
                        /** @description Block that holds it, as last seen. */
                        block_number: number;
                        /** @description Hash of that block. */
                        block_hash: string;
                        /** @description Blocks since, that one included; 0 while it is in no block. */
                        confirmations: number;
                        /** @description Confirmations that it needs. */
                        required_confirmations: number;
                        /**
                         * @description `confirming`: waiting for confirmations; `credited`: in the wallet; `orphaned`: its block was replaced, back to confirming if it is included again; `reversed`: likewise after it was credited, and taken back; `below_minimum`, `unsupported`, `on_hold`, `rejected`: not credited, see `reason`.
                         * @enum {string}
                         */
                        status: "confirming" | "credited" | "orphaned" | "reversed" | "below_minimum" | "unsupported" | "on_hold" | "rejected";
                        /** @description Why it has this status. */
                        reason?: string;
                        /** @description Stable code of `reason`, absent where an operator wrote the text. More may be added: below_minimum, too_many_decimals, coin_not_supported, token_not_supported, switched_off, decimals_differ, ledger_refused, operator_looks, operator_rejected, operator_reversed, block_replaced, not_taken_back, waits_for_endpoints. */
                        reason_code?: string;
                        /** @description Values in `reason` by name: numbers, currencies and the like; absent without any. */
                        reason_values?: {
                            [key: string]: string;
                        };
                        /** @description Page of the transaction. */
                        explorer_url?: string;
                        /**
                         * Format: date-time
                         * @description First seen.
                         */
                        detected_at: string;
                        /**
                         * Format: date-time
                         * @description Had its confirmations.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description Credited.
                         */
                        credited_at?: string;
                        /**
                         * Format: date-time
                         * @description Taken back.
                         */
                        reversed_at?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.deposit_not_open"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUnswept: {
        parameters: {
            query: {
                /** @description Network, for example `ETHEREUM`. */
                currencyNetWork: string;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What lies on the addresses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        currency_network: string;
                        currency: string;
                        contract_address?: string;
                        address: string;
                        /** @description Below the account key that `xpub` names. */
                        derivation_path: string;
                        xpub: string;
                        /**
                         * Format: decimal
                         * @description What the address holds now.
                         */
                        amount: string;
                    }[];
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable.chain_unreachable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDevices: {
        parameters: {
            query?: {
                /** @description Only devices of this status; deleted ones are listed with `deleted` only. */
                status?: "online" | "offline" | "disconnected" | "deleted";
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The devices of the current user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        devices: components["schemas"]["Device"][];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Unique node ID. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A device bound to the current user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    registerDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Unique node ID. */
                node_id: string;
            };
            cookie?: never;
        };
        /** @description Properties of a device; a property that is left out keeps its value. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Kind of device.
                     * @enum {string}
                     */
                    device_type: "TERMINAL" | "EXTENSION";
                    /** @description Browser or client type. */
                    browser?: string;
                    /** @description Version of the extension or client. */
                    extension_version?: string;
                    /** @description Operating system. */
                    os?: string;
                    /**
                     * Format: time-zone
                     * @description Time zone, by its name in the IANA database; empty when it is not known.
                     */
                    timezone?: string;
                    /** @description Capabilities of the device. At most 32 of 64 characters. */
                    capabilities?: string[];
                    /** @description Traffic categories that the device requests from its owner. At most 32 of 64 characters. */
                    requested_categories?: string[];
                };
            };
        };
        responses: {
            /** @description A device bound to the current user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.node_key_mismatch.token_bound_elsewhere.token_not_fresh"];
            404: components["responses"]["not_found"];
            409: components["responses"]["node_taken.device_limit"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Unique node ID. */
                node_id: string;
            };
            cookie?: never;
        };
        /** @description Changes of a device by its owner. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the device; without a visible character the default name applies. */
                    name?: string;
                    /** @description Granted categories; a subset of those that the device requested. At most 32 of 64 characters. */
                    granted_categories?: string[];
                };
            };
        };
        responses: {
            /** @description A device bound to the current user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["device_deleted"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disconnectDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Unique node ID. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A device bound to the current user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["device_deleted"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Unique node ID. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A device bound to the current user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendHeartbeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Unique node ID. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The heartbeat was recorded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        node_id: string;
                        /**
                         * @description The heartbeat made the device online.
                         * @enum {string}
                         */
                        status: "online";
                        /** @description Seconds until the next heartbeat. */
                        heartbeat_interval: number;
                        /**
                         * Format: date-time
                         * @description Time of the service.
                         */
                        server_time: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.token_bound_elsewhere.token_not_bound"];
            404: components["responses"]["not_found"];
            409: components["responses"]["device_deleted.device_disconnected"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDeviceUsage: {
        parameters: {
            query?: {
                /** @description First UTC day; default: seven days, today included. */
                beginDate?: string;
                /** @description Last UTC day, included; default: today. */
                endDate?: string;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Unique node ID. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Usage of a device, hour by hour. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Hours with usage, oldest first. */
                        hours: {
                            /**
                             * Format: date-time
                             * @description Start of the UTC hour.
                             */
                            hour: string;
                            /** @description Time online in this hour. Of a connected device it is up to five minutes behind. */
                            online_seconds: number;
                            /** @description Bytes that relays received from the device. */
                            bytes_up: number;
                            /** @description Bytes that relays sent to the device. */
                            bytes_down: number;
                            /**
                             * Format: decimal
                             * @description Both together, in GB of 10^9 bytes.
                             */
                            traffic_gb: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRefusedReports: {
        parameters: {
            query: {
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Unique node ID. */
                node_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty and carries the true total. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            /** @description ID of the report at its relay; empty if it has none. */
                            report_id: string;
                            /**
                             * Format: date-time
                             * @description Start of the report; absent from a malformed report.
                             */
                            from?: string;
                            /**
                             * Format: date-time
                             * @description End of the report; absent from a malformed report.
                             */
                            to?: string;
                            /**
                             * Format: decimal
                             * @description Reported traffic in GB of 10^9 bytes; absent from a malformed report.
                             */
                            traffic_gb?: string;
                            /** @description Stable code; see `x-failure-codes`. */
                            code: string;
                            /** @description Why the report does not count. */
                            reason: string;
                            /** @description Stable code of `reason`, absent where an operator wrote the text. More may be added: no_such_node, id_reused, ends_before_it_begins, covers_no_time, too_long, ends_in_future, too_late, too_many_bytes, before_registration, begins_before_registration, after_disconnect, after_deletion, cut_off_meanwhile, malformed_report_id, malformed_node_id, malformed_bytes_up, malformed_bytes_down, malformed_category, malformed_from, malformed_to, malformed. */
                            reason_code?: string;
                            /** @description Values in `reason` by name: numbers, currencies and the like; absent without any. */
                            reason_values?: {
                                [key: string]: string;
                            };
                            /**
                             * Format: date-time
                             * @description When the report was received.
                             */
                            received_at: string;
                        }[];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connectDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Switching to WebSocket. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The same over HTTP/2, where a proxy translates (RFC 8441, 5). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked.invalid_connect_ticket"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.token_bound_elsewhere.token_not_bound.origin_refused"];
            404: components["responses"]["not_found"];
            409: components["responses"]["device_deleted.device_disconnected"];
            421: components["responses"]["misdirected_request"];
            426: components["responses"]["upgrade_required"];
            429: components["responses"]["rate_limited.connection_limit"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createConnectTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A single-use ticket. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Opens one live connection. */
                        ticket: string;
                        /** @description Second argument of `new WebSocket(url, subprotocols)`. */
                        subprotocols: string[];
                        /** @description Lifetime in seconds. */
                        expires_in: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.token_not_bound"];
            409: components["responses"]["device_deleted.device_disconnected"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportTraffic: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Up to 1000 reports. */
        requestBody: {
            content: {
                "application/json": {
                    reports: {
                        /** @description Names the report among those of the operator's client; the same report may be sent again. */
                        report_id: string;
                        /** @description The node that was measured. */
                        node_id: string;
                        /** @description Bytes from the device. */
                        bytes_up: number;
                        /** @description Bytes to the device. */
                        bytes_down: number;
                        /** @description Category of the traffic. */
                        category?: string;
                        /**
                         * Format: date-time
                         * @description Begin of the measurement.
                         */
                        from: string;
                        /**
                         * Format: date-time
                         * @description End of the measurement, at most 24 hours later.
                         */
                        to: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description What became of each report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description In the order of the batch; one refusal never fails its neighbours. */
                        results: {
                            /** @description Place of the report in the batch, from 0. */
                            index: number;
                            /** @description As sent; empty when the report has none. */
                            report_id: string;
                            /**
                             * @description Replayed: the same report was accepted before, and counts once.
                             * @enum {string}
                             */
                            status: "accepted" | "replayed" | "refused";
                            /** @description Why it was refused; see `x-failure-codes`. */
                            code?: string;
                            /** @description The same in words; the owner of the device that the report names reads it too. */
                            reason?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPayoutAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAddress"][];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addPayoutAddress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Code of the network, as `GET /currencies` lists it. */
                    network: string;
                    /** @description With its checksum: EIP-55 on EVM networks, bech32 (BIP-173, BIP-350) or base58check on UTXO networks. */
                    address: string;
                    /** @description Name of the address, for its owner, 1 to 40 characters. */
                    label: string;
                };
            };
        };
        responses: {
            /** @description An address that the user may be paid at. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The address. */
                        id: number;
                        /** @description Code of the network. */
                        network: string;
                        /** @description Its name. */
                        network_name: string;
                        /** @description With its checksum. */
                        address: string;
                        /** @description Its name. */
                        label: string;
                        /**
                         * Format: date-time
                         * @description When it was added.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description From when payouts to it are possible: 24 hours later.
                         */
                        usable_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            409: components["responses"]["payout_address_exists.payout_address_limit"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removePayoutAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The address. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    quotePayout: {
        parameters: {
            query: {
                /** @description Currency code. */
                currency: string;
                /** @description Code of the network. */
                network: string;
                /** @description What would leave the wallet. Default: the minimum. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                amount?: string | number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The terms of a payout. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        currency: string;
                        /** @description Code of the network. */
                        network: string;
                        /**
                         * Format: decimal
                         * @description What leaves the wallet.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description The part of it that the payout costs.
                         */
                        fee: string;
                        /**
                         * Format: decimal
                         * @description What arrives at the address.
                         */
                        arrives: string;
                        /**
                         * Format: decimal
                         * @description The least that may leave the wallet.
                         */
                        minimum: string;
                        /** @description Decimals of the token on this network. What is signed counts in 10^-decimals of the currency. */
                        decimals: number;
                        /** @description Of an EVM network (EIP-155). What is signed names it. */
                        chain_id?: number;
                        /** @description Of a UTXO network: the prefix of its bech32 addresses. */
                        address_prefix?: string;
                        /** @description Of the token, in lower case; absent: the coin of the network itself. */
                        contract?: string;
                        /**
                         * Format: decimal
                         * @description What the user may still ask for, by the limits of the last 24 hours.
                         */
                        left_today: string;
                        /** @description Names these terms in the request. */
                        quote_version: number;
                        /**
                         * Format: date-time
                         * @description Until then the fee holds.
                         */
                        valid_until: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            409: components["responses"]["payout_unavailable.payout_below_minimum.payout_stopped"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query: {
                /** @description Only with this status. */
                status?: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty and carries the true total. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["Payout"][];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requestPayout: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Where the money is. Rewards are converted first.
                     * @enum {string}
                     */
                    wallet: "asset";
                    /** @description Currency code. */
                    currency: string;
                    /** @description What leaves the wallet, fee included. Above 0. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                    amount: string | number;
                    /** @description One of the user’s payout addresses; it names the network. */
                    address_id: number;
                    /** @description Of the quote that the user saw: its fee is taken. Default: the fee of now. */
                    quote_version?: number;
                    /** @description The PublicKeyCredential of `navigator.credentials.get`, as its `toJSON()` gives it. */
                    passkey_credential?: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            authenticatorData: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                        authenticatorAttachment?: string | null;
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description A payout to an address on a chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payout. */
                        id: number;
                        /**
                         * @description Where it is.
                         * @enum {string}
                         */
                        status: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
                        /**
                         * @description Why it is there.
                         * @enum {string}
                         */
                        reason_code: "waits_for_check" | "needs_review" | "needs_second_approval" | "approved_by_policy" | "approved_by_operators" | "taken_by_signer" | "waits_for_signer_limit" | "waits_for_hot_wallet" | "refused_by_signer" | "released_to_queue" | "owner_inactive" | "approver_inactive" | "money_frozen" | "in_pool" | "in_block" | "reverted_in_block" | "nonce_used_in_block" | "reorganised" | "deep_enough" | "reverted" | "nonce_used" | "paid_after_refund" | "cancelled_by_user" | "rejected_by_operator" | "transaction_mismatch" | "mismatch_accepted" | "mismatch_refunded";
                        currency: string;
                        /** @description Code of the network. */
                        network: string;
                        /** @description Its name. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description What leaves the wallet.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description The part of it that the payout costs.
                         */
                        fee: string;
                        /**
                         * Format: decimal
                         * @description What arrives at the address.
                         */
                        arrives: string;
                        /** @description With its checksum. */
                        address: string;
                        /** @description The name of the address. */
                        address_label: string;
                        /** @description The transaction that pays it. */
                        tx_hash?: string;
                        /** @description Its page. */
                        explorer_url?: string;
                        /** @description Blocks from its block to the head. */
                        confirmations: number;
                        /** @description As many make it `confirmed`. */
                        required_confirmations: number;
                        /**
                         * Format: date-time
                         * @description When it was requested.
                         */
                        requested_at: string;
                        /**
                         * Format: date-time
                         * @description When it was approved or rejected.
                         */
                        decided_at?: string;
                        /**
                         * Format: date-time
                         * @description When its transaction was sent.
                         */
                        sent_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was deep enough in the chain.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required.approval_invalid.payout_signature_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.insufficient_funds.account_closed.money_frozen.quote_expired.payout_unavailable.payout_below_minimum.payout_above_limit.payout_address_not_usable.payout_stopped"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPayoutSigningOptions: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Where the money is. Rewards are converted first.
                     * @enum {string}
                     */
                    wallet: "asset";
                    /** @description Currency code. */
                    currency: string;
                    /** @description What leaves the wallet, fee included. Above 0. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                    amount: string | number;
                    /** @description One of the user’s payout addresses; it names the network. */
                    address_id: number;
                    /** @description Of the quote that the user saw: its fee is taken. Default: the fee of now. */
                    quote_version?: number;
                };
            };
        };
        responses: {
            /** @description What a passkey of the user signs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Canonical JSON of what is paid to whom, with the `Idempotency-Key` as `request_id` and what arrives as `amount`, in the smallest unit of the token. Its SHA-256 is the challenge. */
                        order: string;
                        /** @description Options for the browser’s WebAuthn call. */
                        options: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["quote_expired.payout_unavailable.payout_below_minimum.payout_stopped"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelPayout: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The payout. */
                id: number;
            };
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description A payout to an address on a chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payout. */
                        id: number;
                        /**
                         * @description Where it is.
                         * @enum {string}
                         */
                        status: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
                        /**
                         * @description Why it is there.
                         * @enum {string}
                         */
                        reason_code: "waits_for_check" | "needs_review" | "needs_second_approval" | "approved_by_policy" | "approved_by_operators" | "taken_by_signer" | "waits_for_signer_limit" | "waits_for_hot_wallet" | "refused_by_signer" | "released_to_queue" | "owner_inactive" | "approver_inactive" | "money_frozen" | "in_pool" | "in_block" | "reverted_in_block" | "nonce_used_in_block" | "reorganised" | "deep_enough" | "reverted" | "nonce_used" | "paid_after_refund" | "cancelled_by_user" | "rejected_by_operator" | "transaction_mismatch" | "mismatch_accepted" | "mismatch_refunded";
                        currency: string;
                        /** @description Code of the network. */
                        network: string;
                        /** @description Its name. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description What leaves the wallet.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description The part of it that the payout costs.
                         */
                        fee: string;
                        /**
                         * Format: decimal
                         * @description What arrives at the address.
                         */
                        arrives: string;
                        /** @description With its checksum. */
                        address: string;
                        /** @description The name of the address. */
                        address_label: string;
                        /** @description The transaction that pays it. */
                        tx_hash?: string;
                        /** @description Its page. */
                        explorer_url?: string;
                        /** @description Blocks from its block to the head. */
                        confirmations: number;
                        /** @description As many make it `confirmed`. */
                        required_confirmations: number;
                        /**
                         * Format: date-time
                         * @description When it was requested.
                         */
                        requested_at: string;
                        /**
                         * Format: date-time
                         * @description When it was approved or rejected.
                         */
                        decided_at?: string;
                        /**
                         * Format: date-time
                         * @description When its transaction was sent.
                         */
                        sent_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was deep enough in the chain.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.payout_not_open"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The payout. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A payout to an address on a chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payout. */
                        id: number;
                        /**
                         * @description Where it is.
                         * @enum {string}
                         */
                        status: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
                        /**
                         * @description Why it is there.
                         * @enum {string}
                         */
                        reason_code: "waits_for_check" | "needs_review" | "needs_second_approval" | "approved_by_policy" | "approved_by_operators" | "taken_by_signer" | "waits_for_signer_limit" | "waits_for_hot_wallet" | "refused_by_signer" | "released_to_queue" | "owner_inactive" | "approver_inactive" | "money_frozen" | "in_pool" | "in_block" | "reverted_in_block" | "nonce_used_in_block" | "reorganised" | "deep_enough" | "reverted" | "nonce_used" | "paid_after_refund" | "cancelled_by_user" | "rejected_by_operator" | "transaction_mismatch" | "mismatch_accepted" | "mismatch_refunded";
                        currency: string;
                        /** @description Code of the network. */
                        network: string;
                        /** @description Its name. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description What leaves the wallet.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description The part of it that the payout costs.
                         */
                        fee: string;
                        /**
                         * Format: decimal
                         * @description What arrives at the address.
                         */
                        arrives: string;
                        /** @description With its checksum. */
                        address: string;
                        /** @description The name of the address. */
                        address_label: string;
                        /** @description The transaction that pays it. */
                        tx_hash?: string;
                        /** @description Its page. */
                        explorer_url?: string;
                        /** @description Blocks from its block to the head. */
                        confirmations: number;
                        /** @description As many make it `confirmed`. */
                        required_confirmations: number;
                        /**
                         * Format: date-time
                         * @description When it was requested.
                         */
                        requested_at: string;
                        /**
                         * Format: date-time
                         * @description When it was approved or rejected.
                         */
                        decided_at?: string;
                        /**
                         * Format: date-time
                         * @description When its transaction was sent.
                         */
                        sent_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was deep enough in the chain.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPayoutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A version of the payout policy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the version. */
                        version: number;
                        rules: {
                            currency: string;
                            /** @description Code of the network. */
                            network: string;
                            /**
                             * Format: decimal
                             * @description What a payout costs its user.
                             */
                            fee: string;
                            /**
                             * Format: decimal
                             * @description The least that may leave the wallet, fee included; above the fee.
                             */
                            minimum: string;
                            /**
                             * Format: decimal
                             * @description The most that one person may ask for in 24 hours, on all networks.
                             */
                            person_day_max: string;
                            /**
                             * Format: decimal
                             * @description The most that all may ask for in 24 hours, on all networks.
                             */
                            day_max: string;
                            /**
                             * Format: decimal
                             * @description As `person_day_max`, of a person without authenticator and passkey.
                             */
                            email_only_day_max: string;
                            /**
                             * Format: decimal
                             * @description Approved by the policy up to this amount.
                             */
                            automatic_max: string;
                            /**
                             * Format: decimal
                             * @description Two operators approve above this amount.
                             */
                            four_eyes_above: string;
                        }[];
                        /** @description Accounts that are younger are reviewed. Unit: days. */
                        automatic_age_days: number;
                        /** @description Whether an operator looks at payouts to an address that was never paid. Default: true. */
                        reviews_new_address?: boolean;
                        /** @description https. Gets a POST with `payout_id, network, currency, address, document_hash`, and answers `{"allowed": true}` or denies. No payout is approved before it answers. Absent: no check. */
                        sanctions_url?: string;
                        /** @description `user:` or `client:` and the id. */
                        created_by: string;
                        /**
                         * Format: date-time
                         * @description When it was written.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putPayoutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One for each currency and network that is paid out. */
                    rules: {
                        /** @description Currency code. */
                        currency: string;
                        /** @description Code of the network. */
                        network: string;
                        /** @description What a payout costs its user. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                        fee: string | number;
                        /** @description The least that may leave the wallet, fee included; above the fee. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                        minimum: string | number;
                        /** @description The most that one person may ask for in 24 hours, on all networks. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                        person_day_max: string | number;
                        /** @description The most that all may ask for in 24 hours, on all networks. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                        day_max: string | number;
                        /** @description As `person_day_max`, of a person without authenticator and passkey. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                        email_only_day_max: string | number;
                        /** @description Approved by the policy up to this amount. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                        automatic_max: string | number;
                        /** @description Two operators approve above this amount. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                        four_eyes_above: string | number;
                    }[];
                    /** @description Accounts that are younger are reviewed. Unit: days. */
                    automatic_age_days: number;
                    /** @description Whether an operator looks at payouts to an address that was never paid. Default: true. */
                    reviews_new_address?: boolean;
                    /** @description https. Gets a POST with `payout_id, network, currency, address, document_hash`, and answers `{"allowed": true}` or denies. No payout is approved before it answers. Absent: no check. */
                    sanctions_url?: string;
                };
            };
        };
        responses: {
            /** @description A version of the payout policy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the version. */
                        version: number;
                        rules: {
                            currency: string;
                            /** @description Code of the network. */
                            network: string;
                            /**
                             * Format: decimal
                             * @description What a payout costs its user.
                             */
                            fee: string;
                            /**
                             * Format: decimal
                             * @description The least that may leave the wallet, fee included; above the fee.
                             */
                            minimum: string;
                            /**
                             * Format: decimal
                             * @description The most that one person may ask for in 24 hours, on all networks.
                             */
                            person_day_max: string;
                            /**
                             * Format: decimal
                             * @description The most that all may ask for in 24 hours, on all networks.
                             */
                            day_max: string;
                            /**
                             * Format: decimal
                             * @description As `person_day_max`, of a person without authenticator and passkey.
                             */
                            email_only_day_max: string;
                            /**
                             * Format: decimal
                             * @description Approved by the policy up to this amount.
                             */
                            automatic_max: string;
                            /**
                             * Format: decimal
                             * @description Two operators approve above this amount.
                             */
                            four_eyes_above: string;
                        }[];
                        /** @description Accounts that are younger are reviewed. Unit: days. */
                        automatic_age_days: number;
                        /** @description Whether an operator looks at payouts to an address that was never paid. Default: true. */
                        reviews_new_address?: boolean;
                        /** @description https. Gets a POST with `payout_id, network, currency, address, document_hash`, and answers `{"allowed": true}` or denies. No payout is approved before it answers. Absent: no check. */
                        sanctions_url?: string;
                        /** @description `user:` or `client:` and the id. */
                        created_by: string;
                        /**
                         * Format: date-time
                         * @description When it was written.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReviewedPayouts: {
        parameters: {
            query: {
                /** @description Those with this status. */
                status: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
                /** @description Only payouts with a greater id. With the last id of a page and `current` 1, the next page, however deep, and also while others leave the queue. */
                after?: number;
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty. At most 10000 are counted and reachable; deeper pages are 400 `too_deep`: narrow the filter. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["ReviewedPayout"][];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                        /** @description True for more than 10000 records; `total` is then 10000. */
                        is_capped?: boolean;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReviewedPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The payout. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A payout as operators see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payout. */
                        id: number;
                        /**
                         * @description Where it is.
                         * @enum {string}
                         */
                        status: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
                        /**
                         * @description Why it is there.
                         * @enum {string}
                         */
                        reason_code: "waits_for_check" | "needs_review" | "needs_second_approval" | "approved_by_policy" | "approved_by_operators" | "taken_by_signer" | "waits_for_signer_limit" | "waits_for_hot_wallet" | "refused_by_signer" | "released_to_queue" | "owner_inactive" | "approver_inactive" | "money_frozen" | "in_pool" | "in_block" | "reverted_in_block" | "nonce_used_in_block" | "reorganised" | "deep_enough" | "reverted" | "nonce_used" | "paid_after_refund" | "cancelled_by_user" | "rejected_by_operator" | "transaction_mismatch" | "mismatch_accepted" | "mismatch_refunded";
                        currency: string;
                        /** @description Code of the network. */
                        network: string;
                        /** @description Its name. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description What leaves the wallet.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description The part of it that the payout costs.
                         */
                        fee: string;
                        /**
                         * Format: decimal
                         * @description What arrives at the address.
                         */
                        arrives: string;
                        /** @description With its checksum. */
                        address: string;
                        /** @description The name of the address. */
                        address_label: string;
                        /** @description The transaction that pays it. */
                        tx_hash?: string;
                        /** @description Its page. */
                        explorer_url?: string;
                        /** @description Blocks from its block to the head. */
                        confirmations: number;
                        /** @description As many make it `confirmed`. */
                        required_confirmations: number;
                        /**
                         * Format: date-time
                         * @description When it was requested.
                         */
                        requested_at: string;
                        /**
                         * Format: date-time
                         * @description When it was approved or rejected.
                         */
                        decided_at?: string;
                        /**
                         * Format: date-time
                         * @description When its transaction was sent.
                         */
                        sent_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was deep enough in the chain.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                        /** @description Whose. */
                        user_id: number;
                        review_reasons: ("above_automatic" | "email_only" | "negative_wallet" | "new_address" | "address_failed" | "new_account" | "recent_factors" | "recent_reset" | "owner_inactive" | "approver_inactive" | "money_frozen" | "refused_by_signer" | "released_to_queue" | "sanctions" | "shared_devices")[];
                        /** @description Distinct operators who must approve. */
                        approvals_needed: number;
                        /**
                         * @description How the request was proven.
                         * @enum {string}
                         */
                        step_up: "strong" | "email";
                        /** @description Canonical JSON: what approvers sign. */
                        document: string;
                        /** @description SHA-256 of the document, base64url. */
                        document_hash: string;
                        /** @description Decimals of the token on this network. What is signed counts in 10^-decimals of the currency. */
                        decimals?: number;
                        /** @description Of an EVM network (EIP-155). What is signed names it. */
                        chain_id?: number;
                        /** @description Of a UTXO network: the prefix of its bech32 addresses. */
                        address_prefix?: string;
                        /** @description Of the token, in lower case; absent: the coin of the network itself. */
                        contract?: string;
                        /** @description What the check answered. */
                        sanctions?: {
                            [key: string]: unknown;
                        };
                        /**
                         * Format: decimal
                         * @description What the chain took, in its coin.
                         */
                        network_fee?: string;
                        /** @description On a UTXO network, once sent: an output that all its transactions spend. Hash of its transaction, a colon, its number. */
                        coin?: string;
                        /**
                         * @description What an operator decided about a transaction that does not pay what the document says.
                         * @enum {string}
                         */
                        mismatch_outcome?: "confirmed" | "failed";
                        /** @description How often its money was given back after the signer had taken it. Above 0 and `confirmed`: the chain paid it after that, and the money was taken again. */
                        refunds: number;
                        /** @description In their order. */
                        decisions: {
                            /** @description For example `approved`. */
                            decision: string;
                            /** @description `user:`, `client:`, `policy:`, `signer:` or `chain:` and the id. */
                            decided_by: string;
                            /** @description By decision. */
                            details: {
                                [key: string]: unknown;
                            };
                            /**
                             * Format: date-time
                             * @description When.
                             */
                            created_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createApprovalOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payout. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Options for the browser’s WebAuthn call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    approvePayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The payout. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The PublicKeyCredential of `navigator.credentials.get`, as its `toJSON()` gives it. */
                    passkey_credential: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            authenticatorData: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                        authenticatorAttachment?: string | null;
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description A payout as operators see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payout. */
                        id: number;
                        /**
                         * @description Where it is.
                         * @enum {string}
                         */
                        status: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
                        /**
                         * @description Why it is there.
                         * @enum {string}
                         */
                        reason_code: "waits_for_check" | "needs_review" | "needs_second_approval" | "approved_by_policy" | "approved_by_operators" | "taken_by_signer" | "waits_for_signer_limit" | "waits_for_hot_wallet" | "refused_by_signer" | "released_to_queue" | "owner_inactive" | "approver_inactive" | "money_frozen" | "in_pool" | "in_block" | "reverted_in_block" | "nonce_used_in_block" | "reorganised" | "deep_enough" | "reverted" | "nonce_used" | "paid_after_refund" | "cancelled_by_user" | "rejected_by_operator" | "transaction_mismatch" | "mismatch_accepted" | "mismatch_refunded";
                        currency: string;
                        /** @description Code of the network. */
                        network: string;
                        /** @description Its name. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description What leaves the wallet.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description The part of it that the payout costs.
                         */
                        fee: string;
                        /**
                         * Format: decimal
                         * @description What arrives at the address.
                         */
                        arrives: string;
                        /** @description With its checksum. */
                        address: string;
                        /** @description The name of the address. */
                        address_label: string;
                        /** @description The transaction that pays it. */
                        tx_hash?: string;
                        /** @description Its page. */
                        explorer_url?: string;
                        /** @description Blocks from its block to the head. */
                        confirmations: number;
                        /** @description As many make it `confirmed`. */
                        required_confirmations: number;
                        /**
                         * Format: date-time
                         * @description When it was requested.
                         */
                        requested_at: string;
                        /**
                         * Format: date-time
                         * @description When it was approved or rejected.
                         */
                        decided_at?: string;
                        /**
                         * Format: date-time
                         * @description When its transaction was sent.
                         */
                        sent_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was deep enough in the chain.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                        /** @description Whose. */
                        user_id: number;
                        review_reasons: ("above_automatic" | "email_only" | "negative_wallet" | "new_address" | "address_failed" | "new_account" | "recent_factors" | "recent_reset" | "owner_inactive" | "approver_inactive" | "money_frozen" | "refused_by_signer" | "released_to_queue" | "sanctions" | "shared_devices")[];
                        /** @description Distinct operators who must approve. */
                        approvals_needed: number;
                        /**
                         * @description How the request was proven.
                         * @enum {string}
                         */
                        step_up: "strong" | "email";
                        /** @description Canonical JSON: what approvers sign. */
                        document: string;
                        /** @description SHA-256 of the document, base64url. */
                        document_hash: string;
                        /** @description Decimals of the token on this network. What is signed counts in 10^-decimals of the currency. */
                        decimals?: number;
                        /** @description Of an EVM network (EIP-155). What is signed names it. */
                        chain_id?: number;
                        /** @description Of a UTXO network: the prefix of its bech32 addresses. */
                        address_prefix?: string;
                        /** @description Of the token, in lower case; absent: the coin of the network itself. */
                        contract?: string;
                        /** @description What the check answered. */
                        sanctions?: {
                            [key: string]: unknown;
                        };
                        /**
                         * Format: decimal
                         * @description What the chain took, in its coin.
                         */
                        network_fee?: string;
                        /** @description On a UTXO network, once sent: an output that all its transactions spend. Hash of its transaction, a colon, its number. */
                        coin?: string;
                        /**
                         * @description What an operator decided about a transaction that does not pay what the document says.
                         * @enum {string}
                         */
                        mismatch_outcome?: "confirmed" | "failed";
                        /** @description How often its money was given back after the signer had taken it. Above 0 and `confirmed`: the chain paid it after that, and the money was taken again. */
                        refunds: number;
                        /** @description In their order. */
                        decisions: {
                            /** @description For example `approved`. */
                            decision: string;
                            /** @description `user:`, `client:`, `policy:`, `signer:` or `chain:` and the id. */
                            decided_by: string;
                            /** @description By decision. */
                            details: {
                                [key: string]: unknown;
                            };
                            /**
                             * Format: date-time
                             * @description When.
                             */
                            created_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.payout_own.approval_invalid"];
            404: components["responses"]["not_found"];
            409: components["responses"]["payout_not_open.payout_stopped.payout_owner_inactive.payout_approved_by_caller"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rejectPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The payout. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    remark: string;
                };
            };
        };
        responses: {
            /** @description A payout as operators see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payout. */
                        id: number;
                        /**
                         * @description Where it is.
                         * @enum {string}
                         */
                        status: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
                        /**
                         * @description Why it is there.
                         * @enum {string}
                         */
                        reason_code: "waits_for_check" | "needs_review" | "needs_second_approval" | "approved_by_policy" | "approved_by_operators" | "taken_by_signer" | "waits_for_signer_limit" | "waits_for_hot_wallet" | "refused_by_signer" | "released_to_queue" | "owner_inactive" | "approver_inactive" | "money_frozen" | "in_pool" | "in_block" | "reverted_in_block" | "nonce_used_in_block" | "reorganised" | "deep_enough" | "reverted" | "nonce_used" | "paid_after_refund" | "cancelled_by_user" | "rejected_by_operator" | "transaction_mismatch" | "mismatch_accepted" | "mismatch_refunded";
                        currency: string;
                        /** @description Code of the network. */
                        network: string;
                        /** @description Its name. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description What leaves the wallet.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description The part of it that the payout costs.
                         */
                        fee: string;
                        /**
                         * Format: decimal
                         * @description What arrives at the address.
                         */
                        arrives: string;
                        /** @description With its checksum. */
                        address: string;
                        /** @description The name of the address. */
                        address_label: string;
                        /** @description The transaction that pays it. */
                        tx_hash?: string;
                        /** @description Its page. */
                        explorer_url?: string;
                        /** @description Blocks from its block to the head. */
                        confirmations: number;
                        /** @description As many make it `confirmed`. */
                        required_confirmations: number;
                        /**
                         * Format: date-time
                         * @description When it was requested.
                         */
                        requested_at: string;
                        /**
                         * Format: date-time
                         * @description When it was approved or rejected.
                         */
                        decided_at?: string;
                        /**
                         * Format: date-time
                         * @description When its transaction was sent.
                         */
                        sent_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was deep enough in the chain.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                        /** @description Whose. */
                        user_id: number;
                        review_reasons: ("above_automatic" | "email_only" | "negative_wallet" | "new_address" | "address_failed" | "new_account" | "recent_factors" | "recent_reset" | "owner_inactive" | "approver_inactive" | "money_frozen" | "refused_by_signer" | "released_to_queue" | "sanctions" | "shared_devices")[];
                        /** @description Distinct operators who must approve. */
                        approvals_needed: number;
                        /**
                         * @description How the request was proven.
                         * @enum {string}
                         */
                        step_up: "strong" | "email";
                        /** @description Canonical JSON: what approvers sign. */
                        document: string;
                        /** @description SHA-256 of the document, base64url. */
                        document_hash: string;
                        /** @description Decimals of the token on this network. What is signed counts in 10^-decimals of the currency. */
                        decimals?: number;
                        /** @description Of an EVM network (EIP-155). What is signed names it. */
                        chain_id?: number;
                        /** @description Of a UTXO network: the prefix of its bech32 addresses. */
                        address_prefix?: string;
                        /** @description Of the token, in lower case; absent: the coin of the network itself. */
                        contract?: string;
                        /** @description What the check answered. */
                        sanctions?: {
                            [key: string]: unknown;
                        };
                        /**
                         * Format: decimal
                         * @description What the chain took, in its coin.
                         */
                        network_fee?: string;
                        /** @description On a UTXO network, once sent: an output that all its transactions spend. Hash of its transaction, a colon, its number. */
                        coin?: string;
                        /**
                         * @description What an operator decided about a transaction that does not pay what the document says.
                         * @enum {string}
                         */
                        mismatch_outcome?: "confirmed" | "failed";
                        /** @description How often its money was given back after the signer had taken it. Above 0 and `confirmed`: the chain paid it after that, and the money was taken again. */
                        refunds: number;
                        /** @description In their order. */
                        decisions: {
                            /** @description For example `approved`. */
                            decision: string;
                            /** @description `user:`, `client:`, `policy:`, `signer:` or `chain:` and the id. */
                            decided_by: string;
                            /** @description By decision. */
                            details: {
                                [key: string]: unknown;
                            };
                            /**
                             * Format: date-time
                             * @description When.
                             */
                            created_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["payout_not_open"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    releasePayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The payout. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    remark: string;
                };
            };
        };
        responses: {
            /** @description A payout as operators see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payout. */
                        id: number;
                        /**
                         * @description Where it is.
                         * @enum {string}
                         */
                        status: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
                        /**
                         * @description Why it is there.
                         * @enum {string}
                         */
                        reason_code: "waits_for_check" | "needs_review" | "needs_second_approval" | "approved_by_policy" | "approved_by_operators" | "taken_by_signer" | "waits_for_signer_limit" | "waits_for_hot_wallet" | "refused_by_signer" | "released_to_queue" | "owner_inactive" | "approver_inactive" | "money_frozen" | "in_pool" | "in_block" | "reverted_in_block" | "nonce_used_in_block" | "reorganised" | "deep_enough" | "reverted" | "nonce_used" | "paid_after_refund" | "cancelled_by_user" | "rejected_by_operator" | "transaction_mismatch" | "mismatch_accepted" | "mismatch_refunded";
                        currency: string;
                        /** @description Code of the network. */
                        network: string;
                        /** @description Its name. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description What leaves the wallet.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description The part of it that the payout costs.
                         */
                        fee: string;
                        /**
                         * Format: decimal
                         * @description What arrives at the address.
                         */
                        arrives: string;
                        /** @description With its checksum. */
                        address: string;
                        /** @description The name of the address. */
                        address_label: string;
                        /** @description The transaction that pays it. */
                        tx_hash?: string;
                        /** @description Its page. */
                        explorer_url?: string;
                        /** @description Blocks from its block to the head. */
                        confirmations: number;
                        /** @description As many make it `confirmed`. */
                        required_confirmations: number;
                        /**
                         * Format: date-time
                         * @description When it was requested.
                         */
                        requested_at: string;
                        /**
                         * Format: date-time
                         * @description When it was approved or rejected.
                         */
                        decided_at?: string;
                        /**
                         * Format: date-time
                         * @description When its transaction was sent.
                         */
                        sent_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was deep enough in the chain.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                        /** @description Whose. */
                        user_id: number;
                        review_reasons: ("above_automatic" | "email_only" | "negative_wallet" | "new_address" | "address_failed" | "new_account" | "recent_factors" | "recent_reset" | "owner_inactive" | "approver_inactive" | "money_frozen" | "refused_by_signer" | "released_to_queue" | "sanctions" | "shared_devices")[];
                        /** @description Distinct operators who must approve. */
                        approvals_needed: number;
                        /**
                         * @description How the request was proven.
                         * @enum {string}
                         */
                        step_up: "strong" | "email";
                        /** @description Canonical JSON: what approvers sign. */
                        document: string;
                        /** @description SHA-256 of the document, base64url. */
                        document_hash: string;
                        /** @description Decimals of the token on this network. What is signed counts in 10^-decimals of the currency. */
                        decimals?: number;
                        /** @description Of an EVM network (EIP-155). What is signed names it. */
                        chain_id?: number;
                        /** @description Of a UTXO network: the prefix of its bech32 addresses. */
                        address_prefix?: string;
                        /** @description Of the token, in lower case; absent: the coin of the network itself. */
                        contract?: string;
                        /** @description What the check answered. */
                        sanctions?: {
                            [key: string]: unknown;
                        };
                        /**
                         * Format: decimal
                         * @description What the chain took, in its coin.
                         */
                        network_fee?: string;
                        /** @description On a UTXO network, once sent: an output that all its transactions spend. Hash of its transaction, a colon, its number. */
                        coin?: string;
                        /**
                         * @description What an operator decided about a transaction that does not pay what the document says.
                         * @enum {string}
                         */
                        mismatch_outcome?: "confirmed" | "failed";
                        /** @description How often its money was given back after the signer had taken it. Above 0 and `confirmed`: the chain paid it after that, and the money was taken again. */
                        refunds: number;
                        /** @description In their order. */
                        decisions: {
                            /** @description For example `approved`. */
                            decision: string;
                            /** @description `user:`, `client:`, `policy:`, `signer:` or `chain:` and the id. */
                            decided_by: string;
                            /** @description By decision. */
                            details: {
                                [key: string]: unknown;
                            };
                            /**
                             * Format: date-time
                             * @description When.
                             */
                            created_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["payout_not_open"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decidePayoutMismatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The payout. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `confirmed`: the transaction counts as the payment; `failed`: the money is given back.
                     * @enum {string}
                     */
                    outcome: "confirmed" | "failed";
                    /** @description Why; kept in the audit log. */
                    remark: string;
                };
            };
        };
        responses: {
            /** @description A payout as operators see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The payout. */
                        id: number;
                        /**
                         * @description Where it is.
                         * @enum {string}
                         */
                        status: "requested" | "in_review" | "approved" | "signed" | "sent" | "confirmed" | "failed" | "cancelled" | "rejected";
                        /**
                         * @description Why it is there.
                         * @enum {string}
                         */
                        reason_code: "waits_for_check" | "needs_review" | "needs_second_approval" | "approved_by_policy" | "approved_by_operators" | "taken_by_signer" | "waits_for_signer_limit" | "waits_for_hot_wallet" | "refused_by_signer" | "released_to_queue" | "owner_inactive" | "approver_inactive" | "money_frozen" | "in_pool" | "in_block" | "reverted_in_block" | "nonce_used_in_block" | "reorganised" | "deep_enough" | "reverted" | "nonce_used" | "paid_after_refund" | "cancelled_by_user" | "rejected_by_operator" | "transaction_mismatch" | "mismatch_accepted" | "mismatch_refunded";
                        currency: string;
                        /** @description Code of the network. */
                        network: string;
                        /** @description Its name. */
                        network_name: string;
                        /**
                         * Format: decimal
                         * @description What leaves the wallet.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description The part of it that the payout costs.
                         */
                        fee: string;
                        /**
                         * Format: decimal
                         * @description What arrives at the address.
                         */
                        arrives: string;
                        /** @description With its checksum. */
                        address: string;
                        /** @description The name of the address. */
                        address_label: string;
                        /** @description The transaction that pays it. */
                        tx_hash?: string;
                        /** @description Its page. */
                        explorer_url?: string;
                        /** @description Blocks from its block to the head. */
                        confirmations: number;
                        /** @description As many make it `confirmed`. */
                        required_confirmations: number;
                        /**
                         * Format: date-time
                         * @description When it was requested.
                         */
                        requested_at: string;
                        /**
                         * Format: date-time
                         * @description When it was approved or rejected.
                         */
                        decided_at?: string;
                        /**
                         * Format: date-time
                         * @description When its transaction was sent.
                         */
                        sent_at?: string;
                        /**
                         * Format: date-time
                         * @description When it was deep enough in the chain.
                         */
                        confirmed_at?: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                        /** @description Whose. */
                        user_id: number;
                        review_reasons: ("above_automatic" | "email_only" | "negative_wallet" | "new_address" | "address_failed" | "new_account" | "recent_factors" | "recent_reset" | "owner_inactive" | "approver_inactive" | "money_frozen" | "refused_by_signer" | "released_to_queue" | "sanctions" | "shared_devices")[];
                        /** @description Distinct operators who must approve. */
                        approvals_needed: number;
                        /**
                         * @description How the request was proven.
                         * @enum {string}
                         */
                        step_up: "strong" | "email";
                        /** @description Canonical JSON: what approvers sign. */
                        document: string;
                        /** @description SHA-256 of the document, base64url. */
                        document_hash: string;
                        /** @description Decimals of the token on this network. What is signed counts in 10^-decimals of the currency. */
                        decimals?: number;
                        /** @description Of an EVM network (EIP-155). What is signed names it. */
                        chain_id?: number;
                        /** @description Of a UTXO network: the prefix of its bech32 addresses. */
                        address_prefix?: string;
                        /** @description Of the token, in lower case; absent: the coin of the network itself. */
                        contract?: string;
                        /** @description What the check answered. */
                        sanctions?: {
                            [key: string]: unknown;
                        };
                        /**
                         * Format: decimal
                         * @description What the chain took, in its coin.
                         */
                        network_fee?: string;
                        /** @description On a UTXO network, once sent: an output that all its transactions spend. Hash of its transaction, a colon, its number. */
                        coin?: string;
                        /**
                         * @description What an operator decided about a transaction that does not pay what the document says.
                         * @enum {string}
                         */
                        mismatch_outcome?: "confirmed" | "failed";
                        /** @description How often its money was given back after the signer had taken it. Above 0 and `confirmed`: the chain paid it after that, and the money was taken again. */
                        refunds: number;
                        /** @description In their order. */
                        decisions: {
                            /** @description For example `approved`. */
                            decision: string;
                            /** @description `user:`, `client:`, `policy:`, `signer:` or `chain:` and the id. */
                            decided_by: string;
                            /** @description By decision. */
                            details: {
                                [key: string]: unknown;
                            };
                            /**
                             * Format: date-time
                             * @description When.
                             */
                            created_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.payout_own"];
            404: components["responses"]["not_found"];
            409: components["responses"]["payout_not_open"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApproverKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For the configuration of the signer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The operator. */
                        user_id: number;
                        /** @description Of the passkey. */
                        name: string;
                        /** @description base64url. */
                        credential_id: string;
                        /** @description COSE key, base64url. */
                        public_key: string;
                    }[];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPayoutStops: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The currencies whose payouts are stopped. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        currency: string;
                        /** @description Why. */
                        reason: string;
                        /** @description `user:` or `client:` and the id. */
                        stopped_by: string;
                        /**
                         * Format: date-time
                         * @description Since when.
                         */
                        stopped_at: string;
                    }[];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopPayouts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Currency code. */
                currency: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The currencies whose payouts are stopped. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        currency: string;
                        /** @description Why. */
                        reason: string;
                        /** @description `user:` or `client:` and the id. */
                        stopped_by: string;
                        /**
                         * Format: date-time
                         * @description Since when.
                         */
                        stopped_at: string;
                    }[];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumePayouts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Currency code. */
                currency: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The currencies whose payouts are stopped. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        currency: string;
                        /** @description Why. */
                        reason: string;
                        /** @description `user:` or `client:` and the id. */
                        stopped_by: string;
                        /**
                         * Format: date-time
                         * @description Since when.
                         */
                        stopped_at: string;
                    }[];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    takePayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Code of the network. */
                    network: string;
                    /** @description Names the state of the signer: what one has taken, no other gets. */
                    signer: string;
                    /** @description At most so many. */
                    limit: number;
                    /** @description The last entry of the log of decisions that the signer has seen: the head shows that it is still there. */
                    decision_position?: number;
                };
            };
        };
        responses: {
            /** @description What is handed over. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        payouts: components["schemas"]["TakenPayout"][];
                        /** @description Where the ledger stands; absent without payouts. */
                        head?: {
                            /** @description JSON, exactly as it was signed: `kind` `payout-head`, `network`, `signed_at`, `shards` as in a head of the ledger, `decisions`: the `position` and seal (`mac`) of the last entry of the log of decisions, and of the one that the signer has seen, and `holds`: for each payout its `document_hash` and the `step` of the ledger that holds its money. */
                            body: string;
                            /** @description Ed25519, base64url. */
                            signature: string;
                            /** @description Key of `GET /.well-known/ledger-keys.json`. */
                            kid: string;
                        };
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportPayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Names the state of the signer: what one has taken, no other gets. */
                    signer: string;
                    reports: {
                        /** @description The payout. */
                        payout_id: number;
                        /**
                         * @description `sent`: a transaction was signed and is given to the chain next; `refused`: back to the operators; `postponed`: a limit of the signer leaves no room now; `nonce_used`: another transaction took its place for good.
                         * @enum {string}
                         */
                        outcome: "sent" | "refused" | "postponed" | "nonce_used";
                        /** @description Required with `sent`. */
                        tx_hash?: string;
                        /** @description With `sent` on an EVM network: the hot wallet. */
                        sender?: string;
                        /** @description With `sender`: of the transaction, and of each that replaces it. */
                        nonce?: number;
                        /** @description With `sent` on a UTXO network: an output that the transaction and each that replaces it spend. Hash of its transaction, a colon, its number. */
                        coin?: string;
                        /**
                         * @description With `postponed`: the hot wallet holds too little now. Absent: a limit.
                         * @enum {string}
                         */
                        cause_code?: "hot_wallet";
                        /** @description In words. */
                        reason?: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Written. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["payout_not_open.payout_stopped.payout_of_other_signer.payout_nonce_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account at a glance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: decimal
                         * @description Cumulative network rewards in the reward currency, referral rewards included.
                         */
                        network_rewards: string;
                        /** @description Devices that are not deleted. */
                        devices: number;
                        /**
                         * Format: decimal
                         * @description Cumulative traffic in GB of 10^9 bytes, deleted devices included.
                         */
                        traffic_gb: string;
                        /** @description Every currency, zeros included. */
                        balances: {
                            /** @description Currency. */
                            currency: string;
                            /**
                             * Format: decimal
                             * @description Available in the asset wallet.
                             */
                            balance: string;
                            /**
                             * Format: decimal
                             * @description Frozen in the asset wallet.
                             */
                            hold: string;
                            /**
                             * Format: decimal
                             * @description Available in the reward wallet.
                             */
                            bonus_balance: string;
                            /**
                             * Format: decimal
                             * @description Frozen in the reward wallet.
                             */
                            bonus_hold: string;
                        }[];
                        /** @description Since ever; the reward currency and each other currency ever earned. */
                        total_earnings: {
                            /** @description Currency. */
                            currency: string;
                            /**
                             * Format: decimal
                             * @description Signed sum of the bills whose transaction type counts as earned.
                             */
                            amount: string;
                        }[];
                        /** @description Of the last whole UTC day; the same currencies. */
                        yesterday_earnings: {
                            /** @description Currency. */
                            currency: string;
                            /**
                             * Format: decimal
                             * @description Signed sum of the bills whose transaction type counts as earned.
                             */
                            amount: string;
                        }[];
                        /** @description Of the UTC day that has begun, as far as it is settled; the same currencies. */
                        today_earnings: {
                            /** @description Currency. */
                            currency: string;
                            /**
                             * Format: decimal
                             * @description Signed sum of the bills whose transaction type counts as earned.
                             */
                            amount: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listNetworkRewards: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One element per reward type and currency. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Reward type: `UPTIME`, `TRAFFIC`, `TASK`, `REFERRAL`, `BONUS`, `PENALTY`, `ADJUSTMENT`, or one of the operator’s rules. */
                        reward_type: string;
                        /** @description Currency. */
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Sum since ever, penalties deducted.
                         */
                        amount: string;
                    }[];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEarnings: {
        parameters: {
            query?: {
                /** @description First day. Default: 29 days before the last one. */
                beginDate?: string;
                /** @description Last day, included. Default: today. The range holds at most 366 days. */
                endDate?: string;
                /** @description Only this currency. */
                currency?: string;
                /** @description Only this reward type. */
                rewardType?: string;
                /** @description Only what this device earned. */
                nodeId?: string;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest day first; each day of the range, per currency. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: calendar-day
                         * @description UTC day on which it was earned.
                         */
                        date: string;
                        /** @description Currency. */
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Signed sum of the day; 0 on a day without earnings.
                         */
                        amount: string;
                        by_reward_type: {
                            /** @description Reward type: `UPTIME`, `TRAFFIC`, `TASK`, `REFERRAL`, `BONUS`, `PENALTY`, `ADJUSTMENT`, or one of the operator’s rules. */
                            reward_type: string;
                            /**
                             * Format: decimal
                             * @description Part of the amount.
                             */
                            amount: string;
                        }[];
                    }[];
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRewardKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            kty: string;
                            crv: string;
                            alg: string;
                            use: string;
                            kid: string;
                            x: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            421: components["responses"]["misdirected_request"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRewardRoots: {
        parameters: {
            query: {
                /** @description Only settlements of this hour. */
                hour?: string;
                /** @description Only this settlement. */
                batch?: number;
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty. At most 10000 are counted and reachable; deeper pages are 400 `too_deep`: narrow the filter. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            /** @description Settlement; `line.batch` of a proof. */
                            batch: number;
                            /** @description `hour`, `correction` or `release`. */
                            kind: string;
                            /**
                             * Format: date-time
                             * @description The hour that was settled; for corrections and releases, the hour in which they were made.
                             */
                            hour: string;
                            /** @description Root of its tree, hexadecimal; `tree.root` of a proof. */
                            root: string;
                            /**
                             * Format: date-time
                             * @description When it was settled.
                             */
                            settled_at: string;
                        }[];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                        /** @description True for more than 10000 records; `total` is then 10000. */
                        is_capped?: boolean;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRewardSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether reward rules are active. Without them devices earn nothing. */
                        is_paying: boolean;
                        /**
                         * Format: date-time
                         * @description When the next hour is paid, at the earliest; absent without active rules.
                         */
                        next_payment_at?: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRewardLines: {
        parameters: {
            query: {
                /** @description Only lines with this status. */
                status?: "paid" | "held" | "released" | "rejected" | "refused";
                /** @description Only this reward type. */
                rewardType?: string;
                /** @description Only this device. */
                nodeId?: string;
                /** @description First day. */
                beginTime?: string;
                /** @description Last day, included. */
                endTime?: string;
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty and carries the true total. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            /**
                             * Format: date-time
                             * @description The hour it was earned in.
                             */
                            hour: string;
                            /** @description Reward type. */
                            reward_type: string;
                            /** @description The device. */
                            node_id?: string;
                            /** @description Referral level. */
                            level?: number;
                            /** @description Category of the traffic, or name of the campaign. */
                            part?: string;
                            /**
                             * @description `held`: waits for an operator; `released`: was held, then paid by `bill_id`; `rejected`: not paid, see the reason; `refused`: the ledger refused it, see the reason.
                             * @enum {string}
                             */
                            status: "paid" | "held" | "released" | "rejected" | "refused";
                            /** @description Why it was limited, held, rejected or refused. */
                            reason?: string;
                            /** @description Milliseconds online, bytes, minor units of the base, or implausible reports. */
                            quantity: string;
                            /** @description The reward currency. */
                            currency: string;
                            /**
                             * Format: decimal
                             * @description Signed; for a correction, the difference.
                             */
                            amount: string;
                            /** @description True when the hour had been settled before. */
                            is_correction: boolean;
                            /** @description Version of the rules. */
                            rule_version: number;
                            /** @description The bill that paid it; its proof is at `/me/rewards/{bill_id}/proof`. */
                            bill_id?: number;
                        }[];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRewardProof: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the bill. */
                bill_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Checked offline by `edge-account verify-proof FILE`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `edge-account reward proof 4` for hours that were settled in buckets of users; `edge-account reward proof 3` for corrections, releases and earlier hours, `edge-account reward proof 2` for those before reports were recorded. */
                        format: string;
                        /** @description The calculation as text. */
                        explanation: string;
                        bill: {
                            /** @description The bill. */
                            id: number;
                            /** @description Owner of the bill. */
                            user_id: number;
                            /** @description `reward` or `referral_reward`. */
                            business_id: string;
                            /** @description 1 credit, 2 debit. */
                            amount_direction: number;
                            /** @description Decimal. */
                            amount: string;
                            /** @description Currency. */
                            currency: string;
                            /** @description Decimals of the currency: the numbers of the line are minor units. */
                            scale: number;
                            /** @description The hour it was earned in. */
                            event_at: string;
                        };
                        line: {
                            /** @description Settlement. */
                            batch: number;
                            /** @description Position in its tree, from 0; in format 4, plus 2^32 for each bucket before it. */
                            leaf: number;
                            /** @description The hour. */
                            hour: string;
                            /** @description Version of the rules that applied in that hour. */
                            rule_version: number;
                            /** @description SHA-256 of their text. */
                            rule_hash: string;
                            /** @description The user who is paid. */
                            user_id: number;
                            /** @description The device; empty for referral rewards. */
                            node_id: string;
                            /** @description Reward type. */
                            reward_type: string;
                            /** @description Referral level; 0 otherwise. */
                            level: number;
                            /** @description Category of the traffic, or name of the campaign. */
                            part: string;
                            /** @description Always `paid`. */
                            status: string;
                            /** @description Milliseconds online, bytes, minor units of the base, or implausible reports. */
                            quantity: string;
                            /** @description Minor units per hour, GB or report; of percentages millionths. */
                            rate: string;
                            /** @description Amount that earlier lines of the same hour settled. */
                            settled_before: string;
                            /** @description Minor units, signed: the product of quantity and rate, less what was settled before. */
                            amount: string;
                            /** @description The limit that reduced it; empty: none. */
                            reason: string;
                            /** @description SHA-256 of the traffic reports in their order; empty: none. Not in format 2. */
                            reports_hash?: string;
                            /** @description Commitment to the referee of a released reward, which does not disclose the user; empty: no single referee. Not in format 2. */
                            referee?: string;
                        };
                        /** @description The text of the rules. */
                        rules: string;
                        /** @description The traffic reports that make up the quantity: for traffic, those of the hour, each spread evenly over its hours; for a penalty, the implausible ones. */
                        reports: {
                            /** @description The relay. */
                            client_id: string;
                            /** @description Its report. */
                            report_id: string;
                            /** @description Bytes. */
                            bytes_up: string;
                            /** @description Bytes. */
                            bytes_down: string;
                            /** @description Category; empty: none. */
                            category: string;
                            /** @description Begin. */
                            from: string;
                            /** @description End. */
                            to: string;
                        }[];
                        tree: {
                            /** @description 128 random bits of this leaf. */
                            salt: string;
                            /** @description Leaves of the settlement. */
                            size: number;
                            /** @description The bucket whose tree has the leaf. Only in format 4. */
                            bucket?: {
                                /** @description Position of its root among the roots of buckets, from 0. */
                                number: number;
                                /** @description Leaves. */
                                size: number;
                                /** @description Buckets of the settlement. */
                                count: number;
                            };
                            /** @description Neighbours up to the root; in format 4, first up to the root of the bucket, then from there. */
                            path: string[];
                            /** @description Root of the tree. */
                            root: string;
                        };
                        ledger: {
                            /** @description Reference of the transfer in the sealed ledger that carries batch, number of leaves and root. */
                            reference: string;
                        };
                        /** @description Id of the published key that signed it. */
                        key_id: string;
                        /** @description EdDSA over this document without its last member. */
                        signature: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["not_paid_by_rules.not_provable.not_settled"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the version. */
                        version: number;
                        /** @description True until it is activated; then its text is fixed. */
                        draft: boolean;
                        /** @description Hours from which it applies or applied. */
                        active_from: string[];
                        /** @description SHA-256 of its text, as proofs name it. */
                        hash: string;
                        /** @description What is paid for what. */
                        rules: {
                            uptime?: {
                                /**
                                 * Format: not-negative
                                 * @description Reward for each hour online. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            };
                            /** @description Traffic counts when a relay reported it and the device was online in that hour. */
                            traffic?: {
                                /** @description Category of the traffic; `*`: any other. */
                                category: string;
                                /**
                                 * Format: not-negative
                                 * @description Reward per GB of 10^9 bytes. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            }[];
                            /** @description Level 1 (direct) first. */
                            referral?: {
                                /**
                                 * Format: not-negative
                                 * @description Percent of what the referee earns; paid in addition, never taken from the referee. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                percent: string | number;
                                /** @description Requirement: hours that the referee must have been online within the limits, whether the rules pay for them or not. */
                                uptime_hours: number;
                                /** @description Requirement: network addresses of the referee that no other user has. */
                                distinct_addresses: number;
                            }[];
                            campaigns?: {
                                name: string;
                                /**
                                 * Format: not-negative
                                 * @description Percent of the uptime and traffic rewards of a device, in addition. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                percent: string | number;
                                /**
                                 * Format: date-time
                                 * @description First hour.
                                 */
                                from: string;
                                /**
                                 * Format: date-time
                                 * @description The hour after the last one.
                                 */
                                before: string;
                                /**
                                 * @description Only devices of this type.
                                 * @enum {string}
                                 */
                                device_type?: "TERMINAL" | "EXTENSION";
                            }[];
                            penalty?: {
                                /**
                                 * Format: not-negative
                                 * @description Taken for each report that claims more bytes than any device can move. Faults of a relay (late, in the future, before the device was registered) cost nothing. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            };
                            limits?: {
                                /** @description Devices of one user that are paid in an hour: those online longest. */
                                devices_per_user?: number;
                                /** @description Devices on one network address that are paid in an hour: those online longest. The address is the one of the last heartbeat when the hour is settled (a /64 of IPv6 is one). A user who changes addresses can evade the limit. */
                                devices_per_address?: number;
                                /** @description GB of each category that are paid per device and hour. */
                                gb_per_device_hour?: number;
                            };
                        };
                        /** @description Client that drafted it. */
                        created_by: string;
                        /**
                         * Format: date-time
                         * @description When it was drafted.
                         */
                        created_at: string;
                    }[];
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What is paid for what. */
                    rules: {
                        uptime?: {
                            /**
                             * Format: not-negative
                             * @description Reward for each hour online. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                             */
                            amount: string | number;
                        };
                        /** @description Traffic counts when a relay reported it and the device was online in that hour. */
                        traffic?: {
                            /** @description Category of the traffic; `*`: any other. */
                            category: string;
                            /**
                             * Format: not-negative
                             * @description Reward per GB of 10^9 bytes. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                             */
                            amount: string | number;
                        }[];
                        /** @description Level 1 (direct) first. */
                        referral?: {
                            /**
                             * Format: not-negative
                             * @description Percent of what the referee earns; paid in addition, never taken from the referee. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                             */
                            percent: string | number;
                            /** @description Requirement: hours that the referee must have been online within the limits, whether the rules pay for them or not. */
                            uptime_hours: number;
                            /** @description Requirement: network addresses of the referee that no other user has. */
                            distinct_addresses: number;
                        }[];
                        campaigns?: {
                            name: string;
                            /**
                             * Format: not-negative
                             * @description Percent of the uptime and traffic rewards of a device, in addition. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                             */
                            percent: string | number;
                            /**
                             * Format: date-time
                             * @description First hour.
                             */
                            from: string;
                            /**
                             * Format: date-time
                             * @description The hour after the last one.
                             */
                            before: string;
                            /**
                             * @description Only devices of this type.
                             * @enum {string}
                             */
                            device_type?: "TERMINAL" | "EXTENSION";
                        }[];
                        penalty?: {
                            /**
                             * Format: not-negative
                             * @description Taken for each report that claims more bytes than any device can move. Faults of a relay (late, in the future, before the device was registered) cost nothing. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                             */
                            amount: string | number;
                        };
                        limits?: {
                            /** @description Devices of one user that are paid in an hour: those online longest. */
                            devices_per_user?: number;
                            /** @description Devices on one network address that are paid in an hour: those online longest. The address is the one of the last heartbeat when the hour is settled (a /64 of IPv6 is one). A user who changes addresses can evade the limit. */
                            devices_per_address?: number;
                            /** @description GB of each category that are paid per device and hour. */
                            gb_per_device_hour?: number;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the version. */
                        version: number;
                        /** @description True until it is activated; then its text is fixed. */
                        draft: boolean;
                        /** @description Hours from which it applies or applied. */
                        active_from: string[];
                        /** @description SHA-256 of its text, as proofs name it. */
                        hash: string;
                        /** @description What is paid for what. */
                        rules: {
                            uptime?: {
                                /**
                                 * Format: not-negative
                                 * @description Reward for each hour online. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            };
                            /** @description Traffic counts when a relay reported it and the device was online in that hour. */
                            traffic?: {
                                /** @description Category of the traffic; `*`: any other. */
                                category: string;
                                /**
                                 * Format: not-negative
                                 * @description Reward per GB of 10^9 bytes. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            }[];
                            /** @description Level 1 (direct) first. */
                            referral?: {
                                /**
                                 * Format: not-negative
                                 * @description Percent of what the referee earns; paid in addition, never taken from the referee. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                percent: string | number;
                                /** @description Requirement: hours that the referee must have been online within the limits, whether the rules pay for them or not. */
                                uptime_hours: number;
                                /** @description Requirement: network addresses of the referee that no other user has. */
                                distinct_addresses: number;
                            }[];
                            campaigns?: {
                                name: string;
                                /**
                                 * Format: not-negative
                                 * @description Percent of the uptime and traffic rewards of a device, in addition. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                percent: string | number;
                                /**
                                 * Format: date-time
                                 * @description First hour.
                                 */
                                from: string;
                                /**
                                 * Format: date-time
                                 * @description The hour after the last one.
                                 */
                                before: string;
                                /**
                                 * @description Only devices of this type.
                                 * @enum {string}
                                 */
                                device_type?: "TERMINAL" | "EXTENSION";
                            }[];
                            penalty?: {
                                /**
                                 * Format: not-negative
                                 * @description Taken for each report that claims more bytes than any device can move. Faults of a relay (late, in the future, before the device was registered) cost nothing. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            };
                            limits?: {
                                /** @description Devices of one user that are paid in an hour: those online longest. */
                                devices_per_user?: number;
                                /** @description Devices on one network address that are paid in an hour: those online longest. The address is the one of the last heartbeat when the hour is settled (a /64 of IPv6 is one). A user who changes addresses can evade the limit. */
                                devices_per_address?: number;
                                /** @description GB of each category that are paid per device and hour. */
                                gb_per_device_hour?: number;
                            };
                        };
                        /** @description Client that drafted it. */
                        created_by: string;
                        /**
                         * Format: date-time
                         * @description When it was drafted.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the version. */
                        version: number;
                        /** @description True until it is activated; then its text is fixed. */
                        draft: boolean;
                        /** @description Hours from which it applies or applied. */
                        active_from: string[];
                        /** @description SHA-256 of its text, as proofs name it. */
                        hash: string;
                        /** @description What is paid for what. */
                        rules: {
                            uptime?: {
                                /**
                                 * Format: not-negative
                                 * @description Reward for each hour online. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            };
                            /** @description Traffic counts when a relay reported it and the device was online in that hour. */
                            traffic?: {
                                /** @description Category of the traffic; `*`: any other. */
                                category: string;
                                /**
                                 * Format: not-negative
                                 * @description Reward per GB of 10^9 bytes. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            }[];
                            /** @description Level 1 (direct) first. */
                            referral?: {
                                /**
                                 * Format: not-negative
                                 * @description Percent of what the referee earns; paid in addition, never taken from the referee. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                percent: string | number;
                                /** @description Requirement: hours that the referee must have been online within the limits, whether the rules pay for them or not. */
                                uptime_hours: number;
                                /** @description Requirement: network addresses of the referee that no other user has. */
                                distinct_addresses: number;
                            }[];
                            campaigns?: {
                                name: string;
                                /**
                                 * Format: not-negative
                                 * @description Percent of the uptime and traffic rewards of a device, in addition. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                percent: string | number;
                                /**
                                 * Format: date-time
                                 * @description First hour.
                                 */
                                from: string;
                                /**
                                 * Format: date-time
                                 * @description The hour after the last one.
                                 */
                                before: string;
                                /**
                                 * @description Only devices of this type.
                                 * @enum {string}
                                 */
                                device_type?: "TERMINAL" | "EXTENSION";
                            }[];
                            penalty?: {
                                /**
                                 * Format: not-negative
                                 * @description Taken for each report that claims more bytes than any device can move. Faults of a relay (late, in the future, before the device was registered) cost nothing. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            };
                            limits?: {
                                /** @description Devices of one user that are paid in an hour: those online longest. */
                                devices_per_user?: number;
                                /** @description Devices on one network address that are paid in an hour: those online longest. The address is the one of the last heartbeat when the hour is settled (a /64 of IPv6 is one). A user who changes addresses can evade the limit. */
                                devices_per_address?: number;
                                /** @description GB of each category that are paid per device and hour. */
                                gb_per_device_hour?: number;
                            };
                        };
                        /** @description Client that drafted it. */
                        created_by: string;
                        /**
                         * Format: date-time
                         * @description When it was drafted.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What is paid for what. */
                    rules: {
                        uptime?: {
                            /**
                             * Format: not-negative
                             * @description Reward for each hour online. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                             */
                            amount: string | number;
                        };
                        /** @description Traffic counts when a relay reported it and the device was online in that hour. */
                        traffic?: {
                            /** @description Category of the traffic; `*`: any other. */
                            category: string;
                            /**
                             * Format: not-negative
                             * @description Reward per GB of 10^9 bytes. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                             */
                            amount: string | number;
                        }[];
                        /** @description Level 1 (direct) first. */
                        referral?: {
                            /**
                             * Format: not-negative
                             * @description Percent of what the referee earns; paid in addition, never taken from the referee. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                             */
                            percent: string | number;
                            /** @description Requirement: hours that the referee must have been online within the limits, whether the rules pay for them or not. */
                            uptime_hours: number;
                            /** @description Requirement: network addresses of the referee that no other user has. */
                            distinct_addresses: number;
                        }[];
                        campaigns?: {
                            name: string;
                            /**
                             * Format: not-negative
                             * @description Percent of the uptime and traffic rewards of a device, in addition. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                             */
                            percent: string | number;
                            /**
                             * Format: date-time
                             * @description First hour.
                             */
                            from: string;
                            /**
                             * Format: date-time
                             * @description The hour after the last one.
                             */
                            before: string;
                            /**
                             * @description Only devices of this type.
                             * @enum {string}
                             */
                            device_type?: "TERMINAL" | "EXTENSION";
                        }[];
                        penalty?: {
                            /**
                             * Format: not-negative
                             * @description Taken for each report that claims more bytes than any device can move. Faults of a relay (late, in the future, before the device was registered) cost nothing. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                             */
                            amount: string | number;
                        };
                        limits?: {
                            /** @description Devices of one user that are paid in an hour: those online longest. */
                            devices_per_user?: number;
                            /** @description Devices on one network address that are paid in an hour: those online longest. The address is the one of the last heartbeat when the hour is settled (a /64 of IPv6 is one). A user who changes addresses can evade the limit. */
                            devices_per_address?: number;
                            /** @description GB of each category that are paid per device and hour. */
                            gb_per_device_hour?: number;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the version. */
                        version: number;
                        /** @description True until it is activated; then its text is fixed. */
                        draft: boolean;
                        /** @description Hours from which it applies or applied. */
                        active_from: string[];
                        /** @description SHA-256 of its text, as proofs name it. */
                        hash: string;
                        /** @description What is paid for what. */
                        rules: {
                            uptime?: {
                                /**
                                 * Format: not-negative
                                 * @description Reward for each hour online. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            };
                            /** @description Traffic counts when a relay reported it and the device was online in that hour. */
                            traffic?: {
                                /** @description Category of the traffic; `*`: any other. */
                                category: string;
                                /**
                                 * Format: not-negative
                                 * @description Reward per GB of 10^9 bytes. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            }[];
                            /** @description Level 1 (direct) first. */
                            referral?: {
                                /**
                                 * Format: not-negative
                                 * @description Percent of what the referee earns; paid in addition, never taken from the referee. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                percent: string | number;
                                /** @description Requirement: hours that the referee must have been online within the limits, whether the rules pay for them or not. */
                                uptime_hours: number;
                                /** @description Requirement: network addresses of the referee that no other user has. */
                                distinct_addresses: number;
                            }[];
                            campaigns?: {
                                name: string;
                                /**
                                 * Format: not-negative
                                 * @description Percent of the uptime and traffic rewards of a device, in addition. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                percent: string | number;
                                /**
                                 * Format: date-time
                                 * @description First hour.
                                 */
                                from: string;
                                /**
                                 * Format: date-time
                                 * @description The hour after the last one.
                                 */
                                before: string;
                                /**
                                 * @description Only devices of this type.
                                 * @enum {string}
                                 */
                                device_type?: "TERMINAL" | "EXTENSION";
                            }[];
                            penalty?: {
                                /**
                                 * Format: not-negative
                                 * @description Taken for each report that claims more bytes than any device can move. Faults of a relay (late, in the future, before the device was registered) cost nothing. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            };
                            limits?: {
                                /** @description Devices of one user that are paid in an hour: those online longest. */
                                devices_per_user?: number;
                                /** @description Devices on one network address that are paid in an hour: those online longest. The address is the one of the last heartbeat when the hour is settled (a /64 of IPv6 is one). A user who changes addresses can evade the limit. */
                                devices_per_address?: number;
                                /** @description GB of each category that are paid per device and hour. */
                                gb_per_device_hour?: number;
                            };
                        };
                        /** @description Client that drafted it. */
                        created_by: string;
                        /**
                         * Format: date-time
                         * @description When it was drafted.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["rules_not_draft"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    activateRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of the version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description A full hour that has not begun. Default: the next one.
                     */
                    from?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the version. */
                        version: number;
                        /** @description True until it is activated; then its text is fixed. */
                        draft: boolean;
                        /** @description Hours from which it applies or applied. */
                        active_from: string[];
                        /** @description SHA-256 of its text, as proofs name it. */
                        hash: string;
                        /** @description What is paid for what. */
                        rules: {
                            uptime?: {
                                /**
                                 * Format: not-negative
                                 * @description Reward for each hour online. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            };
                            /** @description Traffic counts when a relay reported it and the device was online in that hour. */
                            traffic?: {
                                /** @description Category of the traffic; `*`: any other. */
                                category: string;
                                /**
                                 * Format: not-negative
                                 * @description Reward per GB of 10^9 bytes. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            }[];
                            /** @description Level 1 (direct) first. */
                            referral?: {
                                /**
                                 * Format: not-negative
                                 * @description Percent of what the referee earns; paid in addition, never taken from the referee. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                percent: string | number;
                                /** @description Requirement: hours that the referee must have been online within the limits, whether the rules pay for them or not. */
                                uptime_hours: number;
                                /** @description Requirement: network addresses of the referee that no other user has. */
                                distinct_addresses: number;
                            }[];
                            campaigns?: {
                                name: string;
                                /**
                                 * Format: not-negative
                                 * @description Percent of the uptime and traffic rewards of a device, in addition. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                percent: string | number;
                                /**
                                 * Format: date-time
                                 * @description First hour.
                                 */
                                from: string;
                                /**
                                 * Format: date-time
                                 * @description The hour after the last one.
                                 */
                                before: string;
                                /**
                                 * @description Only devices of this type.
                                 * @enum {string}
                                 */
                                device_type?: "TERMINAL" | "EXTENSION";
                            }[];
                            penalty?: {
                                /**
                                 * Format: not-negative
                                 * @description Taken for each report that claims more bytes than any device can move. Faults of a relay (late, in the future, before the device was registered) cost nothing. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it.
                                 */
                                amount: string | number;
                            };
                            limits?: {
                                /** @description Devices of one user that are paid in an hour: those online longest. */
                                devices_per_user?: number;
                                /** @description Devices on one network address that are paid in an hour: those online longest. The address is the one of the last heartbeat when the hour is settled (a /64 of IPv6 is one). A user who changes addresses can evade the limit. */
                                devices_per_address?: number;
                                /** @description GB of each category that are paid per device and hour. */
                                gb_per_device_hour?: number;
                            };
                        };
                        /** @description Client that drafted it. */
                        created_by: string;
                        /**
                         * Format: date-time
                         * @description When it was drafted.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dryRunRules: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description Number of the version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description First hour.
                     */
                    from: string;
                    /**
                     * Format: date-time
                     * @description The hour after the last one; at most 48 hours.
                     */
                    before: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The reward currency. */
                        currency: string;
                        by_reward_type: {
                            /** @description Reward type. */
                            reward_type: string;
                            /**
                             * Format: decimal
                             * @description By the rules that applied.
                             */
                            active: string;
                            /**
                             * Format: decimal
                             * @description By these rules.
                             */
                            draft: string;
                            /**
                             * Format: decimal
                             * @description More or less.
                             */
                            difference: string;
                        }[];
                        /** @description The 100 users whose reward changes most. */
                        users: {
                            /** @description Who. */
                            user_id: number;
                            /**
                             * Format: decimal
                             * @description By the rules that applied.
                             */
                            active: string;
                            /**
                             * Format: decimal
                             * @description By these rules.
                             */
                            draft: string;
                            /**
                             * Format: decimal
                             * @description More or less.
                             */
                            difference: string;
                        }[];
                        /** @description How many are paid by either. */
                        users_total: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSettlements: {
        parameters: {
            query: {
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty. At most 10000 are counted and reachable; deeper pages are 400 `too_deep`: narrow the filter. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            /** @description The run. */
                            id: number;
                            /** @description `hour`, `correction` or `release`. */
                            kind: string;
                            /**
                             * Format: date-time
                             * @description The hour settled, or in which the run was made.
                             */
                            hour: string;
                            /** @description Version of the rules; 0: each line names its own. */
                            rule_version: number;
                            /** @description `open`, `posting` or `settled`. */
                            state: string;
                            /** @description Lines found. */
                            lines: number;
                            /** @description Lines done. */
                            posted: number;
                            /** @description Lines that the ledger refused. */
                            refused: number;
                            /**
                             * Format: decimal
                             * @description Net amount.
                             */
                            amount: string;
                            /** @description Root of its tree. */
                            root?: string;
                            /**
                             * Format: date-time
                             * @description When it was done.
                             */
                            settled_at?: string;
                            /** @description Why the last try failed; it is tried again every 30 s. */
                            failure?: string;
                            /** @description Why an operator closed it without what was left of it. */
                            close_reason?: string;
                        }[];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                        /** @description True for more than 10000 records; `total` is then 10000. */
                        is_capped?: boolean;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    closeSettlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept with the run. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The run. */
                        id: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["settlement_done"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listHeldRewards: {
        parameters: {
            query: {
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty. At most 10000 are counted and reachable; deeper pages are 400 `too_deep`: narrow the filter. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: {
                            /** @description The referee. */
                            user_id: number;
                            /** @description `shared_address` or `shared_key`. */
                            reason: string;
                            /**
                             * Format: date-time
                             * @description Since when.
                             */
                            held_at: string;
                            /**
                             * Format: decimal
                             * @description What waits for the referrers.
                             */
                            amount: string;
                        }[];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                        /** @description True for more than 10000 records; `total` is then 10000. */
                        is_capped?: boolean;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    releaseHeldRewards: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The referee. */
                    user_id: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The run that pays what was held. */
                        settlement_id: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["unknown_user"];
            409: components["responses"]["not_held"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query: {
                /** @description Part of the nickname, case and accent insensitive; part of the email address for direct referrals, the whole address for others. */
                keyword?: string;
                /** @description First UTC day of joining. */
                beginDate?: string;
                /** @description Last UTC day of joining. */
                endDate?: string;
                /** @description DIRECT: direct referrals; COMMUNITY: the whole downline. Default: DIRECT. */
                type?: "DIRECT" | "COMMUNITY";
                /** @description Page number from 1. */
                current: number;
                /** @description Records per page, 1 to 20. */
                size: number;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records; a page past the end is empty and carries the true total. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        records: components["schemas"]["CommunityMemberVO"][];
                        /** @description Records on all pages. */
                        total: number;
                        /** @description Records per page, as asked. */
                        size: number;
                        /** @description Page number, as asked. */
                        current: number;
                        /** @description Number of pages. */
                        pages: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportMembers: {
        parameters: {
            query?: {
                /** @description Part of the nickname, case and accent insensitive; part of the email address for direct referrals, the whole address for others. */
                keyword?: string;
                /** @description First UTC day of joining. */
                beginDate?: string;
                /** @description Last UTC day of joining. */
                endDate?: string;
                /** @description DIRECT: direct referrals; COMMUNITY: the whole downline. Default: DIRECT. */
                type?: "DIRECT" | "COMMUNITY";
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The member. */
                        user_id: number;
                        /** @description Nickname. */
                        nickname: string;
                        /** @description Email address; masked unless the member is a direct referral. */
                        email: string;
                        /** @description Distance from the caller: 1 for direct referrals. */
                        level: number;
                        /** @description Who referred the member. */
                        referrer_id: number;
                        /** @description The member's own direct referrals. */
                        direct_count: number;
                        /** @description The member's whole downline. */
                        team_count: number;
                        /**
                         * Format: date-time
                         * @description When the member joined.
                         */
                        joined_at: string;
                        /**
                         * Format: decimal
                         * @description Own confirmed package purchases net of refunds, in the reward currency.
                         */
                        package_amount: string;
                        /**
                         * Format: decimal
                         * @description The same summed over the member's whole downline, the member not included.
                         */
                        team_performance: string;
                        /** @description The caller's note on this direct referral; empty for others. */
                        note: string;
                        /** @description The account was closed: nickname and email address belong to no user. */
                        is_closed: boolean;
                    }[];
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setMemberNote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The direct referral. */
                    target_user_id: number;
                    /** @description At most 20 grapheme clusters; empty clears the note. */
                    note: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The direct referral. */
                        target_user_id: number;
                        /** @description The note as it is now. */
                        note: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCommunitySummary: {
        parameters: {
            query?: {
                /** @description First UTC day of `joins`; default: 29 days before the last. */
                beginDate?: string;
                /** @description Last UTC day of `joins`; default: today. At most 366 days in all. */
                endDate?: string;
            };
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Direct referrals. */
                        direct_count: number;
                        /** @description The whole downline. */
                        team_count: number;
                        /**
                         * Format: decimal
                         * @description The caller's own confirmed purchases net of refunds.
                         */
                        package_amount: string;
                        /**
                         * Format: decimal
                         * @description The same summed over the whole downline, the caller not included.
                         */
                        team_performance: string;
                        levels: {
                            /** @description Distance from the caller. */
                            level: number;
                            /** @description Members at this level. */
                            members: number;
                            /**
                             * Format: decimal
                             * @description Their own purchases together.
                             */
                            performance: string;
                        }[];
                        /** @description Every day of the range, also those without joins. */
                        joins: {
                            /**
                             * Format: calendar-day
                             * @description UTC day.
                             */
                            date: string;
                            /** @description Direct referrals who joined. */
                            direct: number;
                            /** @description Members of the whole downline who joined. */
                            community: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPurchase: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Who bought. */
                    user_id: number;
                    /** @description Price in the reward currency. Above 0, at most 10^40 minor units, no more decimals than the currency has. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                    amount: string | number;
                    /** @description The business server's own name of it; shown on the bill. */
                    reference: string;
                    /** @description Paid outside: nothing is debited to the wallet of the person. Default: false. */
                    external?: boolean;
                };
            };
        };
        responses: {
            /** @description A package that a person bought. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The purchase. */
                        id: number;
                        /** @description Who bought. */
                        user_id: number;
                        /** @description The reward currency. */
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Price.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description What was paid back of it so far.
                         */
                        refunded: string;
                        /**
                         * @description What became of it.
                         * @enum {string}
                         */
                        status: "confirmed" | "partly_refunded" | "refunded";
                        /** @description The business server's own name of it; shown on the bill. */
                        reference: string;
                        /** @description Paid outside. */
                        external: boolean;
                        /** @description The transfer that paid for it. */
                        transfer_id: number;
                        /** @description The transfer that paid back; only in the answer to a refund. */
                        refund_transfer_id?: number;
                        /**
                         * Format: date-time
                         * @description When it was recorded.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["unknown_user"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.insufficient_funds.balance_too_large.account_closed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refundPurchase: {
        parameters: {
            query?: never;
            header: {
                /** @description Required. 1 to 255 printable ASCII characters; the same key and body get the same response, another body is 409. */
                "Idempotency-Key": string;
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The purchase. */
                id: number;
            };
            cookie?: never;
        };
        /** @description May be left out. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @description How much is paid back; default: all that remains. Above 0, at most 10^40 minor units, no more decimals than the currency has. A JSON number or string; plain decimal, no exponent, at most 60 digits before the point and 30 after it. */
                    amount?: string | number;
                    /** @description The business server's own name of it; shown on the bill. */
                    reference?: string;
                };
            };
        };
        responses: {
            /** @description A package that a person bought. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The purchase. */
                        id: number;
                        /** @description Who bought. */
                        user_id: number;
                        /** @description The reward currency. */
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Price.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description What was paid back of it so far.
                         */
                        refunded: string;
                        /**
                         * @description What became of it.
                         * @enum {string}
                         */
                        status: "confirmed" | "partly_refunded" | "refunded";
                        /** @description The business server's own name of it; shown on the bill. */
                        reference: string;
                        /** @description Paid outside. */
                        external: boolean;
                        /** @description The transfer that paid for it. */
                        transfer_id: number;
                        /** @description The transfer that paid back; only in the answer to a refund. */
                        refund_transfer_id?: number;
                        /**
                         * Format: date-time
                         * @description When it was recorded.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request.idempotency_key_required"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_reused.idempotency_in_flight.balance_too_large.refund_too_large"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPurchase: {
        parameters: {
            query?: never;
            header?: {
                /** @description `amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round numbers. `Preference-Applied` confirms it. */
                Prefer?: string;
            };
            path: {
                /** @description The purchase. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A package that a person bought. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The purchase. */
                        id: number;
                        /** @description Who bought. */
                        user_id: number;
                        /** @description The reward currency. */
                        currency: string;
                        /**
                         * Format: decimal
                         * @description Price.
                         */
                        amount: string;
                        /**
                         * Format: decimal
                         * @description What was paid back of it so far.
                         */
                        refunded: string;
                        /**
                         * @description What became of it.
                         * @enum {string}
                         */
                        status: "confirmed" | "partly_refunded" | "refunded";
                        /** @description The business server's own name of it; shown on the bill. */
                        reference: string;
                        /** @description Paid outside. */
                        external: boolean;
                        /** @description The transfer that paid for it. */
                        transfer_id: number;
                        /** @description The transfer that paid back; only in the answer to a refund. */
                        refund_transfer_id?: number;
                        /**
                         * Format: date-time
                         * @description When it was recorded.
                         */
                        created_at: string;
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            404: components["responses"]["not_found"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind.reauthentication_required"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Claims about the person, as OpenID Connect names them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The user id, as text; for an application that is not first-party a pairwise subject (OpenID Connect Core 8.1). */
                        sub: string;
                        /** @description With the scope `email`. */
                        email?: string;
                        email_verified?: boolean;
                        /** @description With the scope `profile`. */
                        nickname?: string;
                        /** @description Groups that the operator assigned; with the scope `groups`. */
                        groups?: string[];
                        /** @description Roles in the application that the token was issued to; with the scope `roles`, where there are any. */
                        roles?: string[];
                    };
                };
            };
            400: components["responses"]["malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postUserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description The token, where no Authorization header can be sent (RFC 6750 2.2). */
                    access_token?: string;
                };
            };
        };
        responses: {
            /** @description Claims about the person, as OpenID Connect names them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The user id, as text; for an application that is not first-party a pairwise subject (OpenID Connect Core 8.1). */
                        sub: string;
                        /** @description With the scope `email`. */
                        email?: string;
                        email_verified?: boolean;
                        /** @description With the scope `profile`. */
                        nickname?: string;
                        /** @description Groups that the operator assigned; with the scope `groups`. */
                        groups?: string[];
                        /** @description Roles in the application that the token was issued to; with the scope `roles`, where there are any. */
                        roles?: string[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            401: components["responses"]["missing_token.invalid_token.token_revoked"];
            403: components["responses"]["insufficient_scope.wrong_token_kind"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startAuthorization: {
        parameters: {
            query: {
                /** @description The only one. */
                response_type: "code";
                /** @description The client. */
                client_id: string;
                /** @description One that is registered, exactly; on loopback the port may differ. */
                redirect_uri: string;
                /** @description PKCE: base64url of the SHA-256 of the verifier. Required, unless the client is registered without and sends `nonce`. */
                code_challenge?: string;
                /** @description The only one; required with `code_challenge`. */
                code_challenge_method?: "S256";
                /** @description Names with spaces between; `openid` for an ID token, `offline_access` for a refresh token. */
                scope?: string;
                /** @description Comes back as it is. */
                state?: string;
                /** @description Stands in the ID token. */
                nonce?: string;
                /** @description `none`, or some of `login`, `consent`, `select_account`, `create`. */
                prompt?: string;
                /** @description Seconds that the sign-in may be old. */
                max_age?: string;
                /** @description Strengths of the sign-in, preferred first; see `acr_values_supported`. */
                acr_values?: string;
                /** @description JSON (OpenID Connect Core 5.5): `acr`, `sub`, or claims by way of their scopes. */
                claims?: string;
                /** @description An ID token of the user who has to answer. */
                id_token_hint?: string;
                /** @description The address that the sign-in page begins with. */
                login_hint?: string;
                /** @description Languages for the page, preferred first. */
                ui_locales?: string;
                /** @description `query`, the default, or `form_post`. */
                response_mode?: string;
                /** @description A signed request (RFC 9101) of a client that has registered keys. */
                request?: string;
                /** @description What the pushed request was answered (RFC 9126). */
                request_uri?: string;
                /** @description The issuer, if given. */
                resource?: string;
                /** @description Thumbprint of the key that the code is bound to (RFC 9449). */
                dpop_jkt?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A redirect. */
            302: {
                headers: {
                    /** @description Where the browser goes. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["oauth-400.invalid_request.invalid_client"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exchangeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The access token of a login. */
                    access_token: string;
                    /** @description A client that is registered for token exchange. */
                    client_id: string;
                    /** @description Of a confidential client. */
                    client_secret?: string;
                    /** @description Binds the token to this node. */
                    node_id?: string;
                    /** @description Narrows what the token may do. */
                    scope?: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description The only one.
                     * @enum {string}
                     */
                    response_type: "code";
                    /** @description The client. */
                    client_id: string;
                    /** @description One that is registered, exactly; on loopback the port may differ. */
                    redirect_uri: string;
                    /** @description PKCE: base64url of the SHA-256 of the verifier. Required, unless the client is registered without and sends `nonce`. */
                    code_challenge?: string;
                    /**
                     * @description The only one; required with `code_challenge`.
                     * @enum {string}
                     */
                    code_challenge_method?: "S256";
                    /** @description Names with spaces between; `openid` for an ID token, `offline_access` for a refresh token. */
                    scope?: string;
                    /** @description Comes back as it is. */
                    state?: string;
                    /** @description Stands in the ID token. */
                    nonce?: string;
                    /** @description `none`, or some of `login`, `consent`, `select_account`, `create`. */
                    prompt?: string;
                    /** @description Seconds that the sign-in may be old. */
                    max_age?: string;
                    /** @description Strengths of the sign-in, preferred first; see `acr_values_supported`. */
                    acr_values?: string;
                    /** @description JSON (OpenID Connect Core 5.5): `acr`, `sub`, or claims by way of their scopes. */
                    claims?: string;
                    /** @description An ID token of the user who has to answer. */
                    id_token_hint?: string;
                    /** @description The address that the sign-in page begins with. */
                    login_hint?: string;
                    /** @description Languages for the page, preferred first. */
                    ui_locales?: string;
                    /** @description `query`, the default, or `form_post`. */
                    response_mode?: string;
                    /** @description A signed request (RFC 9101) of a client that has registered keys. */
                    request?: string;
                    /** @description What the pushed request was answered (RFC 9126). */
                    request_uri?: string;
                    /** @description The issuer, if given. */
                    resource?: string;
                    /** @description Thumbprint of the key that the code is bound to (RFC 9449). */
                    dpop_jkt?: string;
                };
            };
        };
        responses: {
            /** @description Tokens; absent members are left out, never null. Errors have the shape of RFC 6749. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The token, a JWT (RFC 9068). */
                        access_token: string;
                        /** @description The same token under the name of the contract; absent for client credentials. */
                        device_token?: string;
                        /** @description `Bearer`, or `DPoP` for a token bound to a key. */
                        token_type: string;
                        /** @description Seconds. */
                        expires_in: number;
                        /** @description What was granted. */
                        scope?: string;
                        /** @description With the scope `openid`. */
                        id_token?: string;
                        /** @description With the scope `offline_access`. */
                        refresh_token?: string;
                        /** @description Of a token exchange. */
                        issued_token_type?: string;
                    };
                };
            };
            /** @description A redirect. */
            302: {
                headers: {
                    /** @description Where the browser goes. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["oauth-400.invalid_request.invalid_grant.unauthorized_client.invalid_scope.invalid_target"];
            401: components["responses"]["oauth-401.invalid_client"];
            413: components["responses"]["oauth-413.invalid_request"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["oauth-429.temporarily_unavailable"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeAuthorization: {
        parameters: {
            query?: {
                /** @description The one-time secret of the decision. */
                ticket?: string;
            };
            header?: never;
            path: {
                /** @description As the authorization page got it. */
                interaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A redirect. */
            302: {
                headers: {
                    /** @description Where the browser goes. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["oauth-400.invalid_request"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description What is exchanged for tokens; may be left out with `authorization_code`.
                     * @enum {string}
                     */
                    grant_type?: "authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange";
                    /** @description The client; may come by HTTP Basic instead. */
                    client_id?: string;
                    /** @description Of a confidential client; may come by HTTP Basic instead. */
                    client_secret?: string;
                    /** @description Instead of a secret: a JWT that the client signed (RFC 7523). */
                    client_assertion?: string;
                    /** @description With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
                    client_assertion_type?: string;
                    /** @description Grant `authorization_code`: the one-time code. */
                    code?: string;
                    /** @description Another name of `code`; one of the two is sent. */
                    authorization_code?: string;
                    /** @description Grant `authorization_code`: as in the authorization request. */
                    redirect_uri?: string;
                    /** @description Grant `authorization_code`: what the PKCE challenge was made of. */
                    code_verifier?: string;
                    /** @description Grant `refresh_token`: the newest of its family. */
                    refresh_token?: string;
                    /** @description Device flow: as the device got it. */
                    device_code?: string;
                    /** @description Narrows what is granted; names with spaces between. Not with a code. */
                    scope?: string;
                    /** @description Token exchange: the access token of a login. */
                    subject_token?: string;
                    /** @description Token exchange: `urn:ietf:params:oauth:token-type:access_token`, or `…:jwt`. */
                    subject_token_type?: string;
                    /** @description Token exchange: the same, if given. */
                    requested_token_type?: string;
                    /** @description Token exchange: the issuer, if given. */
                    audience?: string;
                    /** @description Token exchange: the issuer, if given. */
                    resource?: string;
                    /** @description Token exchange: binds the token to this node. */
                    node_id?: string;
                };
                "application/json": {
                    /**
                     * @description What is exchanged for tokens; may be left out with `authorization_code`.
                     * @enum {string}
                     */
                    grant_type?: "authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange";
                    /** @description The client; may come by HTTP Basic instead. */
                    client_id?: string;
                    /** @description Of a confidential client; may come by HTTP Basic instead. */
                    client_secret?: string;
                    /** @description Instead of a secret: a JWT that the client signed (RFC 7523). */
                    client_assertion?: string;
                    /** @description With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
                    client_assertion_type?: string;
                    /** @description Grant `authorization_code`: the one-time code. */
                    code?: string;
                    /** @description Another name of `code`; one of the two is sent. */
                    authorization_code?: string;
                    /** @description Grant `authorization_code`: as in the authorization request. */
                    redirect_uri?: string;
                    /** @description Grant `authorization_code`: what the PKCE challenge was made of. */
                    code_verifier?: string;
                    /** @description Grant `refresh_token`: the newest of its family. */
                    refresh_token?: string;
                    /** @description Device flow: as the device got it. */
                    device_code?: string;
                    /** @description Narrows what is granted; names with spaces between. Not with a code. */
                    scope?: string;
                    /** @description Token exchange: the access token of a login. */
                    subject_token?: string;
                    /** @description Token exchange: `urn:ietf:params:oauth:token-type:access_token`, or `…:jwt`. */
                    subject_token_type?: string;
                    /** @description Token exchange: the same, if given. */
                    requested_token_type?: string;
                    /** @description Token exchange: the issuer, if given. */
                    audience?: string;
                    /** @description Token exchange: the issuer, if given. */
                    resource?: string;
                    /** @description Token exchange: binds the token to this node. */
                    node_id?: string;
                };
            };
        };
        responses: {
            /** @description Tokens; absent members are left out, never null. Errors have the shape of RFC 6749. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The token, a JWT (RFC 9068). */
                        access_token: string;
                        /** @description The same token under the name of the contract; absent for client credentials. */
                        device_token?: string;
                        /** @description `Bearer`, or `DPoP` for a token bound to a key. */
                        token_type: string;
                        /** @description Seconds. */
                        expires_in: number;
                        /** @description What was granted. */
                        scope?: string;
                        /** @description With the scope `openid`. */
                        id_token?: string;
                        /** @description With the scope `offline_access`. */
                        refresh_token?: string;
                        /** @description Of a token exchange. */
                        issued_token_type?: string;
                    };
                };
            };
            400: components["responses"]["oauth-400.invalid_request.invalid_grant.unauthorized_client.unsupported_grant_type.invalid_scope.invalid_target.invalid_dpop_proof.authorization_pending.slow_down.expired_token.access_denied"];
            401: components["responses"]["oauth-401.invalid_client"];
            413: components["responses"]["oauth-413.invalid_request"];
            415: components["responses"]["oauth-415.invalid_request"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["oauth-429.temporarily_unavailable"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description An access, device or refresh token. */
                    token: string;
                    /** @description `access_token` or `refresh_token`; a hint only. */
                    token_type_hint?: string;
                    /** @description The client; may come by HTTP Basic instead. */
                    client_id?: string;
                    /** @description Of a confidential client; may come by HTTP Basic instead. */
                    client_secret?: string;
                    /** @description Instead of a secret: a JWT that the client signed (RFC 7523). */
                    client_assertion?: string;
                    /** @description With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
                    client_assertion_type?: string;
                };
                "application/json": {
                    /** @description An access, device or refresh token. */
                    token: string;
                    /** @description `access_token` or `refresh_token`; a hint only. */
                    token_type_hint?: string;
                    /** @description The client; may come by HTTP Basic instead. */
                    client_id?: string;
                    /** @description Of a confidential client; may come by HTTP Basic instead. */
                    client_secret?: string;
                    /** @description Instead of a secret: a JWT that the client signed (RFC 7523). */
                    client_assertion?: string;
                    /** @description With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
                    client_assertion_type?: string;
                };
            };
        };
        responses: {
            /** @description Done, or there was nothing to do. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["oauth-400.invalid_request.unsupported_token_type"];
            401: components["responses"]["oauth-401.invalid_client"];
            413: components["responses"]["oauth-413.invalid_request"];
            415: components["responses"]["oauth-415.invalid_request"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["oauth-429.temporarily_unavailable"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    introspectToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description An access, device or refresh token. */
                    token: string;
                    /** @description `access_token` or `refresh_token`; a hint only. */
                    token_type_hint?: string;
                    /** @description The client; may come by HTTP Basic instead. */
                    client_id?: string;
                    /** @description Of a confidential client; may come by HTTP Basic instead. */
                    client_secret?: string;
                    /** @description Instead of a secret: a JWT that the client signed (RFC 7523). */
                    client_assertion?: string;
                    /** @description With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
                    client_assertion_type?: string;
                };
                "application/json": {
                    /** @description An access, device or refresh token. */
                    token: string;
                    /** @description `access_token` or `refresh_token`; a hint only. */
                    token_type_hint?: string;
                    /** @description The client; may come by HTTP Basic instead. */
                    client_id?: string;
                    /** @description Of a confidential client; may come by HTTP Basic instead. */
                    client_secret?: string;
                    /** @description Instead of a secret: a JWT that the client signed (RFC 7523). */
                    client_assertion?: string;
                    /** @description With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
                    client_assertion_type?: string;
                };
            };
        };
        responses: {
            /** @description RFC 7662. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        active: boolean;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["oauth-400.invalid_request"];
            401: components["responses"]["oauth-401.invalid_client"];
            413: components["responses"]["oauth-413.invalid_request"];
            415: components["responses"]["oauth-415.invalid_request"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["oauth-429.temporarily_unavailable"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pushAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description The client. */
                    client_id?: string;
                    /** @description Of a confidential client; may come by HTTP Basic instead. */
                    client_secret?: string;
                    /** @description Instead of a secret: a JWT that the client signed (RFC 7523). */
                    client_assertion?: string;
                    /** @description With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
                    client_assertion_type?: string;
                    /**
                     * @description The only one.
                     * @enum {string}
                     */
                    response_type?: "code";
                    /** @description One that is registered, exactly; on loopback the port may differ. */
                    redirect_uri?: string;
                    /** @description PKCE: base64url of the SHA-256 of the verifier. Required, unless the client is registered without and sends `nonce`. */
                    code_challenge?: string;
                    /**
                     * @description The only one; required with `code_challenge`.
                     * @enum {string}
                     */
                    code_challenge_method?: "S256";
                    /** @description Names with spaces between; `openid` for an ID token, `offline_access` for a refresh token. */
                    scope?: string;
                    /** @description Comes back as it is. */
                    state?: string;
                    /** @description Stands in the ID token. */
                    nonce?: string;
                    /** @description `none`, or some of `login`, `consent`, `select_account`, `create`. */
                    prompt?: string;
                    /** @description Seconds that the sign-in may be old. */
                    max_age?: string;
                    /** @description Strengths of the sign-in, preferred first; see `acr_values_supported`. */
                    acr_values?: string;
                    /** @description JSON (OpenID Connect Core 5.5): `acr`, `sub`, or claims by way of their scopes. */
                    claims?: string;
                    /** @description An ID token of the user who has to answer. */
                    id_token_hint?: string;
                    /** @description The address that the sign-in page begins with. */
                    login_hint?: string;
                    /** @description Languages for the page, preferred first. */
                    ui_locales?: string;
                    /** @description `query`, the default, or `form_post`. */
                    response_mode?: string;
                    /** @description A signed request (RFC 9101) of a client that has registered keys. */
                    request?: string;
                    /** @description What the pushed request was answered (RFC 9126). */
                    request_uri?: string;
                    /** @description The issuer, if given. */
                    resource?: string;
                    /** @description Thumbprint of the key that the code is bound to (RFC 9449). */
                    dpop_jkt?: string;
                };
                "application/json": {
                    /** @description The client. */
                    client_id?: string;
                    /** @description Of a confidential client; may come by HTTP Basic instead. */
                    client_secret?: string;
                    /** @description Instead of a secret: a JWT that the client signed (RFC 7523). */
                    client_assertion?: string;
                    /** @description With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
                    client_assertion_type?: string;
                    /**
                     * @description The only one.
                     * @enum {string}
                     */
                    response_type?: "code";
                    /** @description One that is registered, exactly; on loopback the port may differ. */
                    redirect_uri?: string;
                    /** @description PKCE: base64url of the SHA-256 of the verifier. Required, unless the client is registered without and sends `nonce`. */
                    code_challenge?: string;
                    /**
                     * @description The only one; required with `code_challenge`.
                     * @enum {string}
                     */
                    code_challenge_method?: "S256";
                    /** @description Names with spaces between; `openid` for an ID token, `offline_access` for a refresh token. */
                    scope?: string;
                    /** @description Comes back as it is. */
                    state?: string;
                    /** @description Stands in the ID token. */
                    nonce?: string;
                    /** @description `none`, or some of `login`, `consent`, `select_account`, `create`. */
                    prompt?: string;
                    /** @description Seconds that the sign-in may be old. */
                    max_age?: string;
                    /** @description Strengths of the sign-in, preferred first; see `acr_values_supported`. */
                    acr_values?: string;
                    /** @description JSON (OpenID Connect Core 5.5): `acr`, `sub`, or claims by way of their scopes. */
                    claims?: string;
                    /** @description An ID token of the user who has to answer. */
                    id_token_hint?: string;
                    /** @description The address that the sign-in page begins with. */
                    login_hint?: string;
                    /** @description Languages for the page, preferred first. */
                    ui_locales?: string;
                    /** @description `query`, the default, or `form_post`. */
                    response_mode?: string;
                    /** @description A signed request (RFC 9101) of a client that has registered keys. */
                    request?: string;
                    /** @description What the pushed request was answered (RFC 9126). */
                    request_uri?: string;
                    /** @description The issuer, if given. */
                    resource?: string;
                    /** @description Thumbprint of the key that the code is bound to (RFC 9449). */
                    dpop_jkt?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description For the authorization request, once. */
                        request_uri: string;
                        /** @description Seconds. */
                        expires_in: number;
                    };
                };
            };
            400: components["responses"]["oauth-400.invalid_request.invalid_request_object.unauthorized_client.unsupported_response_type.unsupported_response_mode.invalid_scope.invalid_target"];
            401: components["responses"]["oauth-401.invalid_client"];
            413: components["responses"]["oauth-413.invalid_request"];
            415: components["responses"]["oauth-415.invalid_request"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["oauth-429.temporarily_unavailable"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startDeviceAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description The client; may come by HTTP Basic instead. */
                    client_id?: string;
                    /** @description Of a confidential client; may come by HTTP Basic instead. */
                    client_secret?: string;
                    /** @description Instead of a secret: a JWT that the client signed (RFC 7523). */
                    client_assertion?: string;
                    /** @description With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
                    client_assertion_type?: string;
                    /** @description What the device asks for; names with spaces between. */
                    scope?: string;
                };
                "application/json": {
                    /** @description The client; may come by HTTP Basic instead. */
                    client_id?: string;
                    /** @description Of a confidential client; may come by HTTP Basic instead. */
                    client_secret?: string;
                    /** @description Instead of a secret: a JWT that the client signed (RFC 7523). */
                    client_assertion?: string;
                    /** @description With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
                    client_assertion_type?: string;
                    /** @description What the device asks for; names with spaces between. */
                    scope?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description For the device, to poll the token endpoint with. */
                        device_code: string;
                        /** @description For the person to type. */
                        user_code: string;
                        /** @description Where the person types it. */
                        verification_uri: string;
                        /** @description The same with the code filled in. */
                        verification_uri_complete: string;
                        /** @description Seconds. */
                        expires_in: number;
                        /** @description Seconds to wait between polls. */
                        interval: number;
                    };
                };
            };
            400: components["responses"]["oauth-400.invalid_request.unauthorized_client.invalid_scope"];
            401: components["responses"]["oauth-401.invalid_client"];
            413: components["responses"]["oauth-413.invalid_request"];
            415: components["responses"]["oauth-415.invalid_request"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["oauth-429.temporarily_unavailable"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOpenIdConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenID Connect Discovery 1.0, RFC 8414. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        issuer: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["oauth-400.invalid_request"];
            421: components["responses"]["misdirected_request"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAuthorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenID Connect Discovery 1.0, RFC 8414. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        issuer: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["oauth-400.invalid_request"];
            421: components["responses"]["misdirected_request"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startLogout: {
        parameters: {
            query?: {
                /** @description An ID token of the application; its expiry is not checked. */
                id_token_hint?: string;
                /** @description The application, where no ID token names it. */
                client_id?: string;
                /** @description Where the browser goes afterwards; registered, exactly. */
                post_logout_redirect_uri?: string;
                /** @description Comes back with the redirect. */
                state?: string;
                /** @description Ignored. */
                logout_hint?: string;
                /** @description Languages for the page, preferred first. */
                ui_locales?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A redirect. */
            302: {
                headers: {
                    /** @description Where the browser goes. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["oauth-400.invalid_request.invalid_client"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description An ID token of the application; its expiry is not checked. */
                    id_token_hint?: string;
                    /** @description The application, where no ID token names it. */
                    client_id?: string;
                    /** @description Where the browser goes afterwards; registered, exactly. */
                    post_logout_redirect_uri?: string;
                    /** @description Comes back with the redirect. */
                    state?: string;
                    /** @description Ignored. */
                    logout_hint?: string;
                    /** @description Languages for the page, preferred first. */
                    ui_locales?: string;
                };
            };
        };
        responses: {
            /** @description A redirect. */
            303: {
                headers: {
                    /** @description Where the browser goes. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["oauth-400.invalid_request"];
            413: components["responses"]["oauth-413.invalid_request"];
            415: components["responses"]["oauth-415.invalid_request"];
            421: components["responses"]["misdirected_request"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description As the form of the page contains it. */
                    xsrf: string;
                    /** @description Present: ends the whole session; else only that of the application. */
                    logout?: string;
                };
            };
        };
        responses: {
            /** @description A redirect. */
            303: {
                headers: {
                    /** @description Where the browser goes. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["oauth-400.invalid_request"];
            413: components["responses"]["oauth-413.invalid_request"];
            415: components["responses"]["oauth-415.invalid_request"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["oauth-400.invalid_request.invalid_client"];
            421: components["responses"]["misdirected_request"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    registerClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Where a browser may go after a logout that the application asked for (OpenID Connect RP-Initiated Logout 1.0). The rules are those of `redirect_uris`. Default: none. */
                    post_logout_redirect_uris?: string[];
                    /** @description Receives a logout token by POST when a session ends in which the application was signed in to (OpenID Connect Back-Channel Logout 1.0): https, of the public internet. Empty: none, the default. */
                    backchannel_logout_uri?: string;
                    /** @description Privacy policy of the application, linked where a user is asked for consent: https. Empty: none, the default. */
                    policy_uri?: string;
                    /** @description Its terms of service, in the same way. Empty: none, the default. */
                    tos_uri?: string;
                    /** @description Its logo, shown where a user is asked for consent: PNG, JPEG or WebP of at most 64 KB and 1024 pixels in a side, at https, of the public internet. It is fetched whenever the field is sent, and served by this service alone. Empty: none, the default. */
                    logo_uri?: string;
                    /**
                     * @description How the client authenticates; `none`: a public client. Default: `client_secret_basic`.
                     * @enum {string}
                     */
                    token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";
                    /** @description The keys that the client signs with. */
                    jwks?: {
                        /** @description Public keys (RFC 7517). Empty: none, the default. */
                        keys: ({
                            kty: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                    /** @description Instead of `jwks`: where those keys are read, at most once a minute; https, of the public internet. Empty: none, the default. */
                    jwks_uri?: string;
                    /**
                     * @description What signs its ID tokens and logout tokens. Default: RS256.
                     * @enum {string}
                     */
                    id_token_signed_response_alg?: "RS256" | "ES256" | "EdDSA";
                    /** @description True: authorization requests are pushed first (RFC 9126). Default: false; every client may push. */
                    require_pushed_authorization_requests?: boolean;
                    /** @description True: authorization requests are signed (RFC 9101). Needs `jwks` or `jwks_uri`. Default: false; a client that has keys may sign. */
                    require_signed_request_object?: boolean;
                    /** @description Seconds that access tokens are valid, from 60; not longer than the service or the sign-in allows. 0: as long as these allow, the default. */
                    access_token_lifetime?: number;
                    /** @description Seconds that a refresh token is valid without use, from 60; not longer than the service allows. 0: as long as that allows, the default. */
                    refresh_token_lifetime?: number;
                    /** @description What users read at the consent. */
                    client_name?: string;
                    /** @description Compared exactly; on loopback the port may differ. */
                    redirect_uris?: string[];
                    /** @description Default: `authorization_code`, and `refresh_token` with `offline_access`. */
                    grant_types?: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange")[];
                    /** @description Default: `code`. */
                    response_types?: "code"[];
                    /** @description Names with spaces between. Default: all that the initial access token allows. */
                    scope?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The client as it was registered. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where a browser may go after a logout that the application asked for (OpenID Connect RP-Initiated Logout 1.0). The rules are those of `redirect_uris`. Default: none. */
                        post_logout_redirect_uris?: string[];
                        /** @description Receives a logout token by POST when a session ends in which the application was signed in to (OpenID Connect Back-Channel Logout 1.0): https, of the public internet. Empty: none, the default. */
                        backchannel_logout_uri?: string;
                        /** @description Privacy policy of the application, linked where a user is asked for consent: https. Empty: none, the default. */
                        policy_uri?: string;
                        /** @description Its terms of service, in the same way. Empty: none, the default. */
                        tos_uri?: string;
                        /** @description Its logo, shown where a user is asked for consent: PNG, JPEG or WebP of at most 64 KB and 1024 pixels in a side, at https, of the public internet. It is fetched whenever the field is sent, and served by this service alone. Empty: none, the default. */
                        logo_uri?: string;
                        /**
                         * @description How the client authenticates; `none`: a public client. Default: `client_secret_basic`.
                         * @enum {string}
                         */
                        token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";
                        /** @description The keys that the client signs with. */
                        jwks?: {
                            /** @description Public keys (RFC 7517). Empty: none, the default. */
                            keys: ({
                                kty: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                        };
                        /** @description Instead of `jwks`: where those keys are read, at most once a minute; https, of the public internet. Empty: none, the default. */
                        jwks_uri?: string;
                        /**
                         * @description What signs its ID tokens and logout tokens. Default: RS256.
                         * @enum {string}
                         */
                        id_token_signed_response_alg?: "RS256" | "ES256" | "EdDSA";
                        /** @description True: authorization requests are pushed first (RFC 9126). Default: false; every client may push. */
                        require_pushed_authorization_requests?: boolean;
                        /** @description True: authorization requests are signed (RFC 9101). Needs `jwks` or `jwks_uri`. Default: false; a client that has keys may sign. */
                        require_signed_request_object?: boolean;
                        /** @description Seconds that access tokens are valid, from 60; not longer than the service or the sign-in allows. 0: as long as these allow, the default. */
                        access_token_lifetime?: number;
                        /** @description Seconds that a refresh token is valid without use, from 60; not longer than the service allows. 0: as long as that allows, the default. */
                        refresh_token_lifetime?: number;
                        /** @description What users read at the consent. */
                        client_name?: string;
                        /** @description Compared exactly; on loopback the port may differ. */
                        redirect_uris?: string[];
                        /** @description Default: `authorization_code`, and `refresh_token` with `offline_access`. */
                        grant_types?: ("authorization_code" | "refresh_token" | "client_credentials" | "urn:ietf:params:oauth:grant-type:device_code" | "urn:ietf:params:oauth:grant-type:token-exchange")[];
                        /** @description Default: `code`. */
                        response_types?: "code"[];
                        /** @description Names with spaces between. Default: all that the initial access token allows. */
                        scope?: string;
                        /** @description The new client. */
                        client_id: string;
                        /** @description Unix time in seconds. */
                        client_id_issued_at: number;
                        /** @description Shown this once. */
                        client_secret?: string;
                        /** @description 0: it does not expire. */
                        client_secret_expires_at?: number;
                    };
                };
            };
            400: components["responses"]["oauth-400.invalid_client_metadata.invalid_redirect_uri.invalid_request"];
            401: components["responses"]["oauth-401.invalid_token"];
            413: components["responses"]["oauth-413.invalid_request"];
            415: components["responses"]["oauth-415.invalid_request"];
            421: components["responses"]["misdirected_request"];
            429: components["responses"]["oauth-429.temporarily_unavailable"];
            500: components["responses"]["oauth-500.server_error"];
            503: components["responses"]["oauth-503.temporarily_unavailable"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveUpstreamForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the provider: lower-case letters, digits and hyphens. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description As the provider sends it. */
                    state?: string;
                    /** @description As the provider sends it. */
                    code?: string;
                    /** @description As the provider sends it. */
                    iss?: string;
                    /** @description As the provider sends it. */
                    error?: string;
                };
            };
        };
        responses: {
            /** @description To the page at this path. */
            303: {
                headers: {
                    /** @description Where the browser goes. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter.malformed_body.malformed_request"];
            404: components["responses"]["not_found"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            421: components["responses"]["misdirected_request"];
            /** @description Any other problem (RFC 9457), for example of a proxy. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
