import { append } from '../../schema/index.js';
import type { SecretSpan } from './span.js';
import { lookOf } from './value-look.js';
import type { WordHit, WordTable } from './word-finder.js';

/** A token that its own spelling gives away, by the prefix that its issuer gave it for being found. */
interface TokenShape {
  /** What stands in the mask. */
  readonly name: string;
  /** What it begins with; several where one issuer has several. */
  readonly starts: readonly string[];
  /** Sticky: what follows the start. Lengths are lower bounds, since issuers lengthen their tokens. */
  readonly rest: RegExp;
  /** What must stand before the start and belongs to the token; ends in `$`, at most {@link LONGEST_BEFORE}. */
  readonly before?: RegExp;
  /** The token must hold a digit and a letter in upper case: names in kebab case share the prefix. */
  readonly mixed?: true;
}

const LONGEST_BEFORE = 64;
/** What may follow `sk-` and its like: bounded, so that a rejected run is not read again from each of its parts. */
const LONG_RUN = '[\\w-]{20,400}';

/** @param starts Parted by blanks. */
function shape(
  name: string,
  starts: string,
  rest: string,
  more: Pick<TokenShape, 'before' | 'mixed'> = {},
): TokenShape {
  return { name, starts: starts.split(' '), rest: new RegExp(rest, 'dy'), ...more };
}

/** Formats from the issuers' documentation. */
const SHAPES: readonly TokenShape[] = [
  shape('aws key', 'AKIA ASIA ABIA ACCA AGPA AIDA AIPA ANPA ANVA AROA', '[A-Z0-9]{16}(?![A-Za-z0-9])'),
  shape('aws key', 'ABSK', '[A-Za-z0-9+/]{60,}={0,2}'),
  shape('google key', 'AIza', '[\\w-]{35}'),
  shape('google token', 'ya29.', '[\\w.-]{20,}'),
  shape('google token', 'GOCSPX-', '[\\w-]{20,}'),
  shape('google token', '1//0', '[\\w-]{30,}'),
  shape('firebase key', ':APA91b', '[\\w-]{60,}', { before: /[\w-]{8,40}$/ }),
  shape('firebase key', 'AAAA', '[\\w-]{7}:[\\w-]{100,}'),
  shape('azure secret', '8Q~', '[\\w~.-]{31,34}', { before: /[\w~.-]{3}$/ }),
  shape('azure key', '+ASt', '[A-Za-z0-9+/]{6}={0,2}', { before: /[A-Za-z0-9+/]{32,64}$/ }),
  shape('github token', 'ghp_ gho_ ghu_ ghs_ ghr_', '[A-Za-z0-9]{20,}'),
  shape('github token', 'github_pat_', '\\w{22,}'),
  shape(
    'gitlab token',
    'glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas- glimt- glffct-',
    '[\\w.-]{20,}',
  ),
  shape('gitlab token', 'GR1348941', '[\\w-]{20,}'),
  shape('slack token', 'xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-', '[\\w%-]{10,}'),
  shape('slack token', 'xoxe.xoxb- xoxe.xoxp-', '[\\w-]{10,}'),
  shape('slack webhook', 'hooks.slack.com/', '(?:services|workflows|triggers)/(?<value>[\\w/]{20,})'),
  shape(
    'discord webhook',
    'discord.com/api/ discordapp.com/api/',
    '(?:v\\d{1,2}/)?webhooks/\\d{5,30}/(?<value>[\\w-]{30,})',
  ),
  shape(
    'teams webhook',
    '.webhook.office.com/',
    '\\w{1,20}/[\\w@-]{1,160}/IncomingWebhook/(?<value>[\\w/-]{30,})',
  ),
  shape('telegram token', ':AA', '[\\w-]{32,}', { before: /(?<!\d)\d{8,10}$/ }),
  shape('stripe key', 'sk_live_ rk_live_ pk_live_ sk_test_ rk_test_ pk_test_ sk_prod_', '[A-Za-z0-9]{10,}'),
  shape('stripe key', 'whsec_', '[\\w+/=]{20,}'),
  shape('anthropic key', 'sk-ant-', '[\\w-]{20,}'),
  shape('openai key', 'sk-proj- sk-svcacct- sk-admin-', '[\\w-]{20,}'),
  shape('openai key', 'sk-', LONG_RUN, { mixed: true }),
  shape('openrouter key', 'sk-or-v1-', '[0-9a-f]{32,}'),
  shape('model provider key', 'gsk_ hf_ pplx- xai- r8_ fw_ csk-', '[A-Za-z0-9]{28,}'),
  shape('model provider key', 'api_org_', '[A-Za-z0-9]{30,}'),
  shape('model provider key', 'tvly- lsv2_pt_ lsv2_sk_ pcsk_ nvapi- jina_ co-key-', '[\\w-]{20,}'),
  shape('langfuse key', 'sk-lf-', '[0-9a-f-]{36}'),
  shape('npm token', 'npm_', '[A-Za-z0-9]{30,}'),
  shape('pypi token', 'pypi-', '[\\w-]{40,}'),
  shape('rubygems key', 'rubygems_', '[0-9a-f]{40,}'),
  shape('crates token', 'cio', '[A-Za-z0-9]{32}(?![A-Za-z0-9])'),
  shape('nuget key', 'oy2', '[a-z0-9]{43}(?![A-Za-z0-9])'),
  shape('docker token', 'dckr_pat_ dckr_oat_', '[\\w-]{20,}'),
  shape('sendgrid key', 'SG.', '[\\w-]{16,100}\\.[\\w-]{16,}'),
  shape('sendinblue key', 'xkeysib- xsmtpsib-', '[0-9a-f]{40,80}-?[A-Za-z0-9]{0,20}'),
  shape('twilio key', 'SK', '[0-9a-f]{32}(?![A-Za-z0-9])'),
  shape('mailgun key', 'key-', '[0-9a-z]{32}(?![A-Za-z0-9])'),
  shape('mailgun key', 'pubkey-', '[0-9a-z]{32}(?![A-Za-z0-9])'),
  shape('mailchimp key', '-us', '\\d{1,2}(?![A-Za-z0-9])', { before: /(?<![A-Za-z0-9])[0-9a-f]{32}$/ }),
  shape('mandrill key', 'md-', '[\\w-]{22}(?![\\w-])', { mixed: true }),
  shape('digitalocean token', 'doo_v1_ dop_v1_ dor_v1_', '[0-9a-f]{40,}'),
  shape('shopify token', 'shpat_ shpca_ shppa_ shpss_ shpua_', '[0-9a-fA-F]{32}'),
  shape('square token', 'sq0atp- sq0csp- sq0idp-', '[\\w-]{20,}'),
  shape('square token', 'EAAA', '[\\w-]{56,}'),
  shape('facebook token', 'EAACEdEose0cBA EAA', '[A-Za-z0-9]{60,}'),
  shape('paypal token', 'access_token$production$ access_token$sandbox$', '[0-9a-z]{13,20}\\$[0-9a-f]{32}'),
  shape('plaid token', 'access-sandbox- access-development- access-production-', '[0-9a-f-]{36}'),
  shape('databricks token', 'dapi', '[0-9a-f]{32}(?:-\\d)?'),
  shape('vault token', 'hvs. hvb. hvr.', '[\\w-]{20,}'),
  shape('terraform token', '.atlasv1.', '[\\w-]{40,}', { before: /(?<![\w])\w{14}$/ }),
  shape('atlassian token', 'ATATT ATCTT ATBB', '[\\w=-]{24,}', { mixed: true }),
  shape('linear key', 'lin_api_ lin_oauth_', '[A-Za-z0-9]{30,}'),
  shape('notion token', 'ntn_ secret_', '[A-Za-z0-9]{40,}'),
  shape('grafana token', 'glsa_ glc_', '[\\w+/=]{32,}'),
  shape('new relic key', 'NRAK- NRII- NRJS- NRAA- NRAL- NRRA-', '[\\w-]{16,}'),
  shape('supabase token', 'sbp_', '(?:oauth_)?[0-9a-f]{40,}'),
  shape('supabase token', 'sb_secret_', '[\\w-]{20,}'),
  shape('figma token', 'figd_ figo_ figu_ figr_', '[\\w-]{30,}'),
  shape('postman key', 'PMAK-', '[\\w-]{40,}'),
  shape('planetscale token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', '[\\w.=-]{20,}'),
  shape('doppler token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', '[\\w.-]{20,}'),
  shape('pulumi token', 'pul-', '[0-9a-f]{40}'),
  shape('airtable token', 'pat', '[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
  shape('hubspot token', 'pat-na1- pat-na2- pat-eu1- pat-ap1-', '[0-9a-f-]{36}'),
  shape('sentry token', 'sntrys_ sntryu_ sntrya_', '[\\w=+/-]{30,}'),
  shape('dynatrace token', 'dt0c01. dt0s01. dt0s02. dt0s16.', '[A-Z0-9]{20,40}\\.[A-Z0-9]{40,}'),
  shape('snyk token', 'snyk_uat. snyk_sat.', '[\\w.-]{20,}'),
  shape('buildkite token', 'bkua_ bkct_ bkaj_ bkpt_', '[\\w-]{32,}'),
  shape('circleci token', 'CCIPAT_ CCIPRJ_', '\\w{20,}'),
  shape('sonar token', 'squ_ sqp_ sqa_', '[0-9a-f]{40}'),
  shape('launchdarkly key', 'sdk- mob- api-', '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'),
  shape('onepassword token', 'ops_eyJ', '[\\w+/=-]{60,}'),
  shape('onepassword key', 'A3-', '[A-Z0-9]{6}-[A-Z0-9]{5,11}(?:-[A-Z0-9]{5,6}){3,4}(?![A-Z0-9])'),
  shape('artifactory key', 'AKCp', '[A-Za-z0-9]{60,}'),
  shape('artifactory token', 'cmVmd', '[A-Za-z0-9]{50,}'),
  shape('netlify token', 'nfp_ nfc_ nfo_ nfb_ nfu_', '[A-Za-z0-9]{36,}'),
  shape('heroku key', 'HRKU-', '[\\w-]{36,}'),
  shape('flyio token', 'fo1_ fm1_ fm1a_ fm1r_ fm2_', '[\\w+/=-]{40,}'),
  shape(
    'tailscale key',
    'tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook- tskey-',
    '[\\w-]{20,}',
  ),
  shape('cloudflare key', 'v1.0-', '[0-9a-f]{20,40}-[0-9a-f]{100,}'),
  shape('contentful token', 'CFPAT-', '[\\w-]{40,}'),
  shape('duffel token', 'duffel_test_ duffel_live_', '[\\w=-]{40,}'),
  shape('easypost key', 'EZAK EZTK', '[A-Za-z0-9]{54,}'),
  shape('frameio token', 'fio-u-', '[\\w=-]{60,}'),
  shape('flutterwave key', 'FLWSECK_TEST- FLWSECK-', '[0-9a-h]{12,}(?:-X)?'),
  shape('prefect key', 'pnu_ pnb_', '[A-Za-z0-9]{36}'),
  shape('readme key', 'rdme_', '[a-z0-9]{60,}'),
  shape('rapyd key', 'rsk_ rak_', '[0-9A-Fa-f]{40,}'),
  shape('scalingo token', 'tk-us- tk-eu-', '[\\w-]{40,}'),
  shape('shippo token', 'shippo_live_ shippo_test_', '[0-9a-f]{40}'),
  shape('typeform token', 'tfp_', '[\\w.=-]{40,}'),
  shape('clojars token', 'CLOJARS_', '[a-z0-9]{60}'),
  shape('alibaba key', 'LTAI', '[A-Za-z0-9]{16,26}(?![A-Za-z0-9])'),
  shape('tencent key', 'AKID', '[A-Za-z0-9]{32,}'),
  shape('yandex key', 'AQVN YCAJE y0_ t1.', '[\\w.-]{35,}={0,2}', { mixed: true }),
  shape('amazon token', 'amzn.mws. amzn1.oa2-cs.v1.', '[0-9a-f-]{36,}'),
  shape('render key', 'rnd_', '[A-Za-z0-9]{28,}'),
  shape('neon key', 'napi_', '[a-z0-9]{60,}'),
  shape('neon password', 'npg_', '[A-Za-z0-9]{12,}'),
  shape('openshift token', 'sha256~', '[\\w-]{43}'),
  shape('harness token', 'pat.', '[\\w-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20}'),
  shape('octopus key', 'API-', '[A-Z0-9]{26}(?![A-Za-z0-9])'),
  shape('sourcegraph token', 'sgp_', '(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}'),
  shape('discord token', 'mfa.', '[\\w-]{80,}'),
  shape('resend key', 're_', '[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}'),
  shape('honeycomb key', 'hcaik_ hcalk_', '[a-z0-9]{50,}'),
  shape('posthog key', 'phx_ phc_ phs_', '[A-Za-z0-9]{40,}'),
  shape('inngest key', 'signkey-prod- signkey-test-', '[0-9a-f]{60,}'),
  shape('trigger key', 'tr_prod_ tr_dev_ tr_stg_', '[A-Za-z0-9]{20,}'),
  shape('linkedin token', 'lip_', '[A-Za-z0-9]{20,}'),
  shape('dropbox token', 'sl.u. sl.', '[\\w-]{100,}'),
  shape('okta token', 'SSWS', ' 00[\\w-]{36,}'),
  shape('twitter token', 'AAAAAAAAAAAAAAAAAAAAA', '[\\w%-]{60,}'),
  shape('asana token', '1/ 2/', '\\d{12,20}(?:/\\d{12,20})?:[0-9a-f]{32}'),
  shape('salesforce token', '00D', '[A-Za-z0-9]{12,15}!A[\\w.]{60,}'),
  shape('paseto', 'v1.local. v2.local. v3.local. v4.local.', '[\\w-]{60,}(?:\\.[\\w-]{0,400})?'),
  shape('azure key', 'JQQJ99', '[A-Za-z0-9]{16,24}(?![A-Za-z0-9])', { before: /[A-Za-z0-9]{52}$/ }),
  shape('new relic key', 'FFFFNRAL', '(?![A-Za-z0-9])', { before: /(?<![A-Za-z0-9])[0-9a-f]{32,40}$/ }),
  shape('jenkins secret', '{AQAAABAAAA', '[\\w+/=]{20,}\\}'),
  shape('age key', 'AGE-SECRET-KEY-1', '[0-9A-Z]{40,}'),
  shape('extended private key', 'xprv yprv zprv tprv', '[1-9A-HJ-NP-Za-km-z]{100,}'),
  shape('password hash', '$2a$ $2b$ $2x$ $2y$', '\\d\\d\\$[\\w./]{40,}'),
  shape(
    'password hash',
    '$1$ $5$ $6$ $y$ $7$ $apr1$ $argon2i$ $argon2d$ $argon2id$ $scrypt$ $pbkdf2 $sha1$',
    '[\\w./$=,+-]{20,}',
  ),
  shape('password hash', 'pbkdf2_sha256$ pbkdf2_sha1$ scrypt: argon2$', '[\\w./$=,+:-]{40,}'),
  shape('encrypted password', '{SSHA} {SSHA256} {SSHA512} {SHA} {CRYPT}', '[\\w+/=$.]{16,}'),
];

/** The shapes by what they begin with. */
const BY_START = new Map<string, TokenShape[]>();
for (const one of SHAPES) for (const start of one.starts) append(BY_START, start, one);
/** What tokens begin with. */
export const TOKEN_STARTS: WordTable = { words: [...BY_START.keys()] };

/**
 * The tokens of a text that their spelling gives away.
 *
 * @param starts Where {@link TOKEN_STARTS} stand.
 */
export function tokenSecrets(text: string, starts: readonly WordHit[]): SecretSpan[] {
  const spans = [...webTokens(text), ...longLiterals(text), ...botTokens(text)];
  let done = 0;
  for (const { word, at } of starts)
    for (const one of BY_START.get(word) ?? []) {
      const span = at < done ? null : tokenAt(text, at, at + word.length, one);
      if (span === null) continue;
      if (span.name !== '') spans.push(span);
      done = span.end;
    }
  return spans;
}

/** An empty name says that the run is none, and that nothing else begins in it. */
function tokenAt(
  text: string,
  at: number,
  startEnd: number,
  { name, rest, before, mixed }: TokenShape,
): SecretSpan | null {
  let start = at;
  if (before) {
    const head = before.exec(text.slice(Math.max(0, at - LONGEST_BEFORE), at));
    if (head === null) return null;
    start = at - head[0].length;
  } else if (isWordUnit(text.charCodeAt(at)) && isWordUnit(text.charCodeAt(at - 1))) return null;
  rest.lastIndex = startEnd;
  const match = rest.exec(text);
  if (match === null) return null;
  const end = startEnd + match[0].length;
  if (mixed && !(/\d/.test(match[0]) && /[A-Z]/.test(match[0]))) return { start, end, name: '' };
  const value = match.indices?.groups?.value;
  return value ? { start: value[0], end: value[1], name } : { start, end, name };
}

/** JSON web tokens, and what else begins with `{"` in base64 and has parts behind dots. */
function webTokens(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let at = text.indexOf('eyJ');
  while (at >= 0) {
    const head = runEnd(text, at);
    let end = head;
    let parts = 1;
    while (parts < 6 && text[end] === '.') {
      const next = runEnd(text, end + 1);
      end = next;
      parts++;
    }
    // Grafana's keys have one part.
    const isToken =
      (head - at >= 11 && end - head > 8) || (text.startsWith('eyJrIjoi', at) && head - at > 60);
    if (isToken && !isWordUnit(text.charCodeAt(at - 1)))
      spans.push({ start: at, end, name: 'json web token' });
    at = text.indexOf('eyJ', Math.max(end, at + 3));
  }
  return spans;
}

/** Tokens of Discord's bots: an id in base64, a time, a signature. */
function botTokens(text: string): SecretSpan[] {
  return [
    ...text.matchAll(/\.[\w-]{5,7}\.(?<=(?<![\w-])(?<head>[MNO][\w-]{22,27})\.[\w-]{5,7}\.)[\w-]{27,}/g),
  ].map(({ 0: found, groups, index }) => ({
    start: index - (groups?.head?.length ?? 0),
    end: index + found.length,
    name: 'discord token',
  }));
}

/** An opaque literal: nothing but a quote or a sign before it, and too irregular for a name or a word. */
const LITERAL = /["'`=][ \t]?(?<value>[A-Za-z0-9]{32,128})(?=["'`\s,;)\\]|$)/g;

/** Long literals that look like nothing that a person writes; not digests in hex. */
function longLiterals(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { 0: found, groups, index } of text.matchAll(LITERAL)) {
    const value = groups?.value ?? '';
    if (
      /[a-z]/.test(value) &&
      /[A-Z]/.test(value) &&
      /\d/.test(value) &&
      !/^0x[0-9a-fA-F]+$/.test(value) &&
      lookOf(value) === 'random'
    )
      spans.push({ start: index + found.length - value.length, end: index + found.length, name: 'key' });
  }
  return spans;
}

/** Where a run of base64url characters ends. */
function runEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && (isWordUnit(text.charCodeAt(at)) || text[at] === '-' || text[at] === '_')) at++;
  return at;
}

/** Whether a UTF-16 unit is an ASCII letter or digit; not for the `NaN` before a text. */
function isWordUnit(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}
