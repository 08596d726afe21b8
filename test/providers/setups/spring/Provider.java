package provider;

import java.util.List;
import java.util.UUID;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.config.annotation.web.configurers.OAuth2AuthorizationServerConfigurer;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.util.matcher.MediaTypeRequestMatcher;

/** An authorization server with a public client for people and a service account. */
@SpringBootApplication
public class Provider {
  private static String setting(String name) {
    return System.getenv("PROVIDER_" + name);
  }

  public static void main(String[] args) {
    SpringApplication.run(Provider.class, args);
  }

  @Bean
  @Order(1)
  SecurityFilterChain endpoints(HttpSecurity http) throws Exception {
    var server = OAuth2AuthorizationServerConfigurer.authorizationServer();
    http.securityMatcher(server.getEndpointsMatcher())
        .with(server, all -> all.oidc(Customizer.withDefaults()))
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .exceptionHandling(handling -> handling.defaultAuthenticationEntryPointFor(
            new LoginUrlAuthenticationEntryPoint("/login"), new MediaTypeRequestMatcher(MediaType.TEXT_HTML)));
    return http.build();
  }

  @Bean
  @Order(2)
  SecurityFilterChain pages(HttpSecurity http) throws Exception {
    return http
        .authorizeHttpRequests(requests -> requests.requestMatchers("/error").permitAll().anyRequest().authenticated())
        .formLogin(Customizer.withDefaults())
        .build();
  }

  @Bean
  UserDetailsService people() {
    var ann = User.withUsername(setting("USERNAME")).password("{noop}" + setting("PASSWORD")).roles("USER").build();
    return new InMemoryUserDetailsManager(ann);
  }

  @Bean
  RegisteredClientRepository clients() {
    var people = RegisteredClient.withId(UUID.randomUUID().toString())
        .clientId(setting("CLIENT"))
        .clientAuthenticationMethod(ClientAuthenticationMethod.NONE)
        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
        .authorizationGrantType(AuthorizationGrantType.REFRESH_TOKEN)
        .redirectUri(setting("REDIRECT"))
        .scopes(scopes -> scopes.addAll(List.of("openid", "profile", "email")))
        .clientSettings(ClientSettings.builder().requireProofKey(true).requireAuthorizationConsent(true).build())
        .build();
    var service = RegisteredClient.withId(UUID.randomUUID().toString())
        .clientId(setting("SERVICE"))
        .clientSecret("{noop}" + setting("SECRET"))
        .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
        .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
        .build();
    return new InMemoryRegisteredClientRepository(people, service);
  }

  /** It names the client ID as the audience, unless somebody sets another. */
  @Bean
  OAuth2TokenCustomizer<JwtEncodingContext> audience() {
    return context -> {
      if (OAuth2TokenType.ACCESS_TOKEN.equals(context.getTokenType())) {
        context.getClaims().audience(List.of(setting("AUDIENCE")));
      }
    };
  }
}
