/** A secret that its own spelling gives away. Where `value` is a group of the pattern, only that is masked. */
export interface SecretShape {
  /** What stands in the mask. */
  readonly name: string;
  /** Global, with indices; every repetition in it is bounded, or nothing has to match behind it. */
  readonly pattern: RegExp;
}

/**
 * Tokens by the prefix that their issuer gave them for being found, from the issuers' documentation of their
 * formats. Lengths are lower bounds: issuers lengthen them.
 */
export const TOKEN_SHAPES: readonly SecretShape[] = [
  shape('aws key', /\b(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|AROA)[A-Z2-7]{16}\b/),
  shape('google key', /\bAIza[\w-]{35}/),
  shape('google token', /\b(?:ya29\.[\w.-]{20,}|GOCSPX-[\w-]{20,}|1\/\/0[\w-]{30,})/),
  shape('azure secret', /(?<![\w~.-])[\w~.-]{3}8Q~[\w~.-]{31,34}/),
  shape('azure signature', /[?&;]sig=(?<value>[\w%+/=-]{20,})/),
  shape('github token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{22,})/),
  shape('gitlab token', /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[\w.-]{20,}/),
  shape('slack token', /\b(?:xox[abceoprs](?:\.xox[bp])?-|xapp-)[\w-]{10,}/),
  shape('slack webhook', /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<value>[\w/]{20,})/),
  shape('discord webhook', /discord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/(?<value>[\w-]{30,})/),
  shape('discord token', /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/),
  shape('telegram token', /\b\d{8,10}:AA[\w-]{33}/),
  shape('stripe key', /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|\bwhsec_[\w+/=]{20,}/),
  shape('anthropic key', /\bsk-ant-[\w-]{20,}/),
  shape('openai key', /\bsk-(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Z])[\w-]{20,}/),
  shape('openrouter key', /\bsk-or-v\d-[0-9a-f]{32,}/),
  shape(
    'model provider key',
    /\b(?:gsk_[A-Za-z0-9]{30,}|xai-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{30,}|pplx-[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,}|tvly-[\w-]{20,})/,
  ),
  shape('npm token', /\bnpm_[A-Za-z0-9]{30,}/),
  shape('pypi token', /\bpypi-[\w-]{40,}/),
  shape('rubygems key', /\brubygems_[0-9a-f]{40,}/),
  shape('crates token', /\bcio[A-Za-z0-9]{32}\b/),
  shape('docker token', /\bdckr_(?:pat|oat)_[\w-]{20,}/),
  shape('sendgrid key', /\bSG\.[\w-]{16,}\.[\w-]{16,}/),
  shape('twilio key', /\bSK[0-9a-f]{32}\b/),
  shape('mailgun key', /\bkey-[0-9a-z]{32}\b/),
  shape('mailchimp key', /\b[0-9a-f]{32}-us\d{1,2}\b/),
  shape('digitalocean token', /\bdo[opr]_v1_[0-9a-f]{40,}/),
  shape('shopify token', /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/),
  shape('square token', /\bsq0(?:atp|csp|idp)-[\w-]{20,}|\bEAAA[\w-]{56,}/),
  shape('databricks token', /\bdapi[0-9a-f]{32}/),
  shape('vault token', /\bhv[sbr]\.[\w-]{20,}/),
  shape('terraform token', /\b\w{14}\.atlasv1\.[\w-]{40,}/),
  shape('atlassian token', /\bAT(?:ATT|CTT|BB)3?[\w=-]{24,}/),
  shape('linear key', /\blin_(?:api|oauth)_[A-Za-z0-9]{30,}/),
  shape('notion token', /\b(?:ntn_|secret_)[A-Za-z0-9]{40,}/),
  shape('grafana token', /\bgl(?:sa|c)_[\w+/=]{32,}/),
  shape('new relic key', /\bNR(?:AK|II|JS|AA)-[\w-]{20,}/),
  shape('supabase token', /\bsb(?:p_[0-9a-f]{40,}|_secret_[\w-]{20,})/),
  shape('figma token', /\bfig[dour]_[\w-]{30,}/),
  shape('postman key', /\bPMAK-[\w-]{40,}/),
  shape('planetscale token', /\bpscale_(?:tkn|pw|oauth)_[\w.-]{20,}/),
  shape('doppler token', /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}/),
  shape('age key', /\bAGE-SECRET-KEY-1[0-9A-Z]{40,}/),
  shape('json web token', /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{0,4000}){1,3}/),
  shape('password hash', /\$(?:2[abxy]|apr1|argon2(?:id|i|d)|scrypt|[156y])\$[\w./$=,+-]{20,}/),
];

/** A shape, its pattern made for scanning. */
export function shape(name: string, pattern: RegExp): SecretShape {
  return { name, pattern: new RegExp(pattern.source, `${pattern.flags.replace(/[dg]/gu, '')}dg`) };
}
