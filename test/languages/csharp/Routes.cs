using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Mvc;

[ApiController]
[Route("api/users")]
public class UsersController : ControllerBase
{
    [HttpGet("{id}")]
    public User Show(int id) => null;

    [HttpPost]
    public User Add(User user) => user;
}

public static class Program
{
    public static void Main()
    {
        var app = WebApplication.Create();
        app.MapGet("/health", () => "ok");
        app.MapPost("/users", Add);
    }
}
