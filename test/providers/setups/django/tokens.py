"""Issues access tokens as JWTs for the requested resource, and adds a name to ID tokens."""
import time
import uuid

from django.conf import settings
from jwcrypto import jwk, jwt
from oauth2_provider.oauth2_validators import OAuth2Validator

KEY = jwk.JWK.from_pem(settings.OAUTH2_PROVIDER['OIDC_RSA_PRIVATE_KEY'].encode())


def access_token(request, refresh_token=False):
    # Called for refresh tokens too, which stay opaque.
    if refresh_token:
        return uuid.uuid4().hex
    now = int(time.time())
    who = request.user.get_username() if getattr(request, 'user', None) else request.client.client_id
    claims = {
        'iss': settings.ISSUER, 'sub': who, 'client_id': request.client.client_id, 'jti': str(uuid.uuid4()),
        'iat': now, 'exp': now + 300, 'scope': ' '.join(request.scopes),
        'aud': getattr(request, 'resource', None) or request.client.client_id,
    }
    token = jwt.JWT(header={'alg': 'RS256', 'typ': 'at+jwt', 'kid': KEY.thumbprint()}, claims=claims)
    token.make_signed_token(KEY)
    return token.serialize()


class Validator(OAuth2Validator):
    oidc_claim_scope = None

    def get_additional_claims(self, request):
        return {'preferred_username': request.user.get_username(), 'email': request.user.email}
